// `npm run bench explorer`: the bytes of the explorer's page, its first view of a chain with 100,000 blocks, and pages of
// an address with 100,000 transactions, in Chromium.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadCrypto } from "@plinth/core";
import { CHAIN, makeBlocks } from "./address-index.mjs";
import { median } from "./measured.mjs";
import { PROGRAM } from "./node-process.mjs";

const ROUNDS = 7;
const BLOCKS = 100_000;
const STEP = 1000;
const BROWSER = fileURLToPath(new URL("../clients/browser/package.json", import.meta.url));
const LISTENER = [
  "--rpc-http-enabled",
  "--rpc-http-port=0",
  "--rpc-http-api=ETH,NET,WEB3,PLINTH,TRACE,OTS,HARDHAT",
  "--rpc-ws-enabled=false",
  "--explorer-enabled",
];

/** Rows of `[what, value, bound]`. */
export async function benchExplorer() {
  await loadCrypto();
  const { chromium } = createRequire(BROWSER)("playwright-core");
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-explorer-"));
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    const { bytes, first } = await measureFirstView(browser, folder);
    const pages = await measurePages(browser, folder);
    return [
      ["kB of the explorer's page as it is transferred", bytes / 1000, 400],
      [`ms from its bytes to the first view of ${BLOCKS} blocks`, median(first), 1000],
      ["ms of a page of an address with 100,000 transactions", median(pages), 300],
    ];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureFirstView(browser, folder) {
  const node = await start([
    "--profile=dev-tools",
    `--data-path=${join(folder, "dev")}`,
    ...LISTENER,
    "--address-index-enabled=false",
  ]);
  for (let made = 0; made < BLOCKS; made += STEP) await node.rpc("hardhat_mine", [STEP]);
  const first = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const page = await browser.newPage();
    await page.goto(`${node.url}/explorer`, { waitUntil: "commit" });
    first.push(await page.evaluate(FIRST_VIEW));
    bytes = await page.evaluate(
      `["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).filter(({ name }) => !name.endsWith("/") && !name.endsWith("listeners")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    await page.close();
  }
  await node.stop();
  return { bytes, first };
}

/** Milliseconds from the last byte of script and style to the drawn list of blocks. */
const FIRST_VIEW = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector("[aria-label='Latest blocks'] tbody tr") === null) {
      requestAnimationFrame(look);
      return;
    }
    const files = performance.getEntriesByType("resource").filter(({ name }) => /explorer\\.(js|css)$/.test(name));
    resolve(performance.now() - Math.max(...files.map(({ responseEnd }) => responseEnd)));
  };
  look();
})`;

async function measurePages(browser, folder) {
  const genesis = join(folder, "genesis.json");
  const file = join(folder, "chain.rlp");
  writeFileSync(genesis, JSON.stringify(CHAIN.genesisOf()));
  writeFileSync(file, Buffer.concat(await makeBlocks()));
  const words = [`--genesis-file=${genesis}`, `--data-path=${join(folder, "addresses")}`];
  const imported = spawnSync(process.execPath, [PROGRAM, ...words, "blocks", "import", file]);
  if (imported.status !== 0) throw new Error(String(imported.stderr));
  const node = await start([
    ...words,
    ...LISTENER.filter((each) => !each.startsWith("--rpc-http-api")),
    "--rpc-http-api=ETH,NET,WEB3,PLINTH,TRACE,OTS",
    "--address-index-enabled",
    "--p2p-enabled=false",
  ]);
  await node.printed("The address index is complete.");
  const page = await browser.newPage();
  await page.goto(`${node.url}/explorer`);
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await page.evaluate(showPage(1 + round * 60)));
  }
  await node.stop();
  return times;
}

/** Milliseconds from the link to the drawn table. */
function showPage(block) {
  return `new Promise((resolve) => {
    const began = performance.now();
    const look = () => {
      const isShown = document.querySelectorAll("[aria-label='Transactions of the address'] tbody tr").length > 0;
      if (isShown) resolve(performance.now() - began);
      else requestAnimationFrame(look);
    };
    document.querySelector("main").replaceChildren();
    location.hash = "#/address/${CHAIN.sender}?after=${block}";
    look();
  })`;
}

/** Starts a node, and finds its explorer in its log. */
async function start(words) {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const printed = async (text) => {
    while (!output.match(text)) {
      if (child.exitCode !== null) throw new Error(`the node ended:\n${output}`);
      await sleep(50);
    }
  };
  await printed(/Explorer: \S+\/explorer/);
  const [, url] = /Explorer: (\S+)\/explorer/.exec(output) ?? [];
  const stop = async () => {
    const closed = new Promise((resolve) => child.once("close", resolve));
    child.kill();
    await closed;
  };
  const rpc = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { result, error } = await (await fetch(url, { method: "POST", body })).json();
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return { url, rpc, printed, stop };
}
