// `npm run pictures`: the pictures of the explorer in `docs/pictures`, taken in Chromium from a
// development chain and a network that are started for it. Needs `npm run build` and `npm run clients`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "./package-folders.mjs";

const CLIENTS = join(ROOT, "test/clients");
const PICTURES = join(ROOT, "docs/pictures");
const { chromium } = createRequire(join(CLIENTS, "browser/package.json"))("playwright-core");
const [ALICE, BOB, CAROL] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
];
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
/** Stores its argument, and logs it. */
const PRIVATE_CONTRACT = "0x6014600c60003960146000f35f35805f555f5260205fa05f5ff3000000000000";
const STRANGER = `0x${"5e".repeat(20)}`;
const BLOCKS = 45;
const SIZE = { width: 1180, height: 760 };

const word = (value) => BigInt(value).toString(16).padStart(64, "0");
const artifact = (name) =>
  JSON.parse(readFileSync(join(CLIENTS, "contracts/dist", `${name}.json`), "utf8"));

/** Starts the program, and waits until it has printed the address of the explorer. */
async function start(words, folder) {
  const child = spawn(process.execPath, [join(ROOT, "cli/bin/plinth.js"), ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const url = await new Promise((resolve, reject) => {
    child.once("close", () => reject(new Error(`it ended:\n${output}`)));
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const found = /explorer: (http:\S+)\/explorer/i.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { url, stop: () => stop(child) };
}

async function stop(child) {
  child.kill("SIGINT");
  await once(child, "close");
}

function caller(url) {
  return async (method, params = []) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { result, error } = await (await fetch(url, { method: "POST", body })).json();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

/** Blocks with transfers of ether and tokens, and a transaction with inner calls. */
async function fill(rpc) {
  const send = async (transaction) => {
    const hash = await rpc("eth_sendTransaction", [
      { from: ALICE, gas: "0x4c4b40", ...transaction },
    ]);
    for (;;) {
      const receipt = await rpc("eth_getTransactionReceipt", [hash]);
      if (receipt !== null) return receipt;
      await sleep(50);
    }
  };
  const token = await send({ data: artifact("Token").bytecode + word(10n ** 24n) });
  const vault = await send({ data: artifact("Vault").bytecode });
  await rpc("evm_setAutomine", [false]);
  for (let block = 0; block < BLOCKS; block++) {
    await rpc("evm_increaseTime", [block % 7 === 3 ? 4 : 1]);
    for (let count = 0; count < 1 + ((block * 7) % 5); count++) {
      const to = count % 2 === 0 ? BOB : CAROL;
      const data = `0xa9059cbb${word(to)}${word(BigInt(block + count + 1) * 10n ** 17n)}`;
      await rpc("eth_sendTransaction", [
        count % 3 === 2
          ? { from: BOB, to, value: "0x2386f26fc10000" }
          : { from: ALICE, to: token.contractAddress, data, gas: "0x186a0" },
      ]);
    }
    await rpc("evm_mine");
  }
  await rpc("evm_setAutomine", [true]);
  await send({ to: vault.contractAddress, data: "0x549262ba", value: "0xde0b6b3a7640000" });
  for (const name of ["Art", "Items"]) await send({ data: artifact(name).bytecode });
  const last = await send({ to: vault.contractAddress, data: `0x4fd9efc4${word(10n ** 17n)}` });
  for (const nonce of ["0x5", "0x6"]) {
    await rpc("eth_sendTransaction", [{ from: CAROL, to: BOB, value: "0x1", nonce }]);
  }
  return { last, token: token.contractAddress };
}

/** Sends a private transaction of the first node to the second. */
async function sendPrivately(folder) {
  const { nodes } = JSON.parse(readFileSync(join(folder, "network/network.json"), "utf8"));
  writeFileSync(join(folder, "account.key"), KEY);
  const words = [
    `--data-path=network/${nodes[0].name}/data`,
    ...["privacy", "send", "--wait", "--key-file=account.key", `--data=${PRIVATE_CONTRACT}`],
    `--private-for=${nodes[1].manager.publicKey}`,
  ];
  const child = spawn(process.execPath, [join(ROOT, "cli/bin/plinth.js"), ...words], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "close");
}

/** The process of a node of the network that was started in a folder. */
function processOf(folder, name) {
  const word = `--config-file=${realpathSync(folder)}/network/${name}/`;
  const pid = readdirSync("/proc").find((each) => {
    try {
      return /^\d+$/.test(each) && readFileSync(`/proc/${each}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  });
  if (pid === undefined) throw new Error(`no process has ${word}`);
  return Number(pid);
}

async function take(page, url, name, path, prepare = () => {}) {
  await page.goto("about:blank");
  await page.goto(`${url}/explorer#/${path}`);
  const settled = () => page.waitForSelector("main:not([aria-busy]):not(:has([aria-busy])) h1");
  await settled();
  await prepare(page);
  await settled();
  await page.screenshot({ path: join(PICTURES, `explorer-${name}.jpg`), quality: 54 });
}

const folder = mkdtempSync(join(tmpdir(), "plinth-pictures-"));
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage({ viewport: SIZE });
  const dev = await start(
    ["dev", "--data-path=dev", "--rpc-http-port=0", "--rpc-ws-port=0"],
    folder,
  );
  const { last, token } = await fill(caller(dev.url));
  const addFiles = async () => {
    await page.evaluate("location.hash = '#/files'");
    await page.setInputFiles("#files", join(CLIENTS, "contracts/dist/build/all.json"));
    await page.waitForSelector(".notice.good");
  };
  await take(page, dev.url, "overview", "");
  await take(page, dev.url, "transaction", `tx/${last.transactionHash}`, async () => {
    await addFiles();
    await page.goBack();
    await page.waitForSelector(".calls summary");
    await page.click(".calls > li > ul summary");
    await page.evaluate("document.querySelector('section[aria-label=Input]').scrollIntoView()");
    await page.evaluate("scrollBy(0, -110)");
  });
  await take(page, dev.url, "debugger", `debugger/${last.transactionHash}/430`, async () => {
    await addFiles();
    await page.goBack();
    await page.waitForSelector(".lines .here");
  });
  await take(page, dev.url, "block", "block/20");
  await take(page, dev.url, "address", `address/${ALICE}/tokens`);
  await take(page, dev.url, "token", `token/${token}`);
  await take(page, dev.url, "contract", `address/${token}/contract`, async () => {
    await addFiles();
    await page.goBack();
  });
  await take(page, dev.url, "pool", "pool");
  await dev.stop();
  const up = await start(
    ["up", "--data-path=network", "--privacy", "--period=1", "--base-port=0"],
    folder,
  );
  await sleep(15_000);
  await sendPrivately(folder);
  await take(page, up.url, "groups", "groups", async () => {
    await page.click("text=List groups");
    await page.waitForSelector("text=equal");
  });
  await take(page, up.url, "network", "network", async () => {
    await page.fill("[aria-label='Address to vote about']", STRANGER);
    await page.click("form.line button");
    await page.waitForSelector("[aria-label='Votes that stand'] tbody a");
  });
  // Two of three validators hang: the chain stands still.
  const halted = ["node2", "node3"].map((name) => processOf(folder, name));
  for (const pid of halted) process.kill(pid, "SIGSTOP");
  await take(page, up.url, "doctor", "doctor", () =>
    page.waitForSelector(".findings li", { timeout: 180_000 }),
  );
  for (const pid of halted) process.kill(pid, "SIGCONT");
  await up.stop();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
