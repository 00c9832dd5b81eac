// `npm run bench state`: nodes whose genesis files have 1,000, 100,000 and 1,000,000 accounts
// (STATE_ACCOUNTS for others, PLINTH_PROGRAM for another build): the first start, later starts, and
// memory. The largest is compared with the smallest.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isUp, median, mostResidentMib, residentMib } from "./measured.mjs";
import { PROGRAM, pause } from "./node-process.mjs";

const PROGRAM_FILE = process.env.PLINTH_PROGRAM ?? PROGRAM;
const SIZES = (process.env.STATE_ACCOUNTS ?? "1000,100000,1000000").split(",").map(Number);
const LATER_STARTS = 5;
const IDLE_MS = 10_000;
const MAX_PEAK_MIB = 1024;
const MAX_RATIO = 1.3;

/** Measures each size; returns a row per bound. */
export async function benchGenesisState() {
  const measured = [];
  for (const accounts of SIZES) {
    const figures = await measure(accounts);
    measured.push(figures);
    console.log(
      `${accounts.toLocaleString("en")} accounts: first start ${figures.firstMs} ms, later start ${figures.laterMs} ms, peak ${figures.peakMib} MiB, idle ${figures.firstIdleMib} MiB after the first start, ${figures.secondIdleMib} MiB after the second one and ${figures.idleMib} MiB after later ones`,
    );
  }
  const [least, most] = [measured[0], measured.at(-1)];
  const what = `genesis file of ${SIZES.at(-1)?.toLocaleString("en")} accounts`;
  return [
    [`${what}, MiB at most`, most.peakMib, MAX_PEAK_MIB],
    [`${what}, later start by that of the smallest`, most.laterMs / least.laterMs, MAX_RATIO],
    [`${what}, idle memory by that of the smallest`, most.idleMib / least.idleMib, MAX_RATIO],
    [
      `${what}, idle memory after the first start by that of the smallest`,
      most.firstIdleMib / least.idleMib,
      MAX_RATIO,
    ],
  ];
}

async function measure(accounts) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-state-"));
  try {
    const file = join(folder, "genesis.json");
    await writeGenesis(file, accounts);
    const words = [`--genesis-file=${file}`, `--data-path=${join(folder, "data")}`];
    const first = await start(words, IDLE_MS);
    const later = [];
    for (let round = 0; round < LATER_STARTS; round++) {
      later.push(await start(words, round === 0 || round === LATER_STARTS - 1 ? IDLE_MS : 0));
    }
    return {
      firstMs: first.ms,
      peakMib: first.peakMib,
      firstIdleMib: first.idleMib,
      laterMs: median(later.map(({ ms }) => ms)),
      // The second start still has the log of the first one to read.
      secondIdleMib: later[0].idleMib,
      idleMib: later.at(-1).idleMib,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The time until a node is up, and its memory: at most, and when it has been idle. */
async function start(words, idleMs) {
  const begun = performance.now();
  const options = ["--rpc-http-enabled", "--rpc-http-port=0", "--miner-enabled=false"];
  const child = spawn(
    process.execPath,
    [PROGRAM_FILE, ...words, ...options, "--p2p-enabled=false"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await isUp(child);
  const ms = Math.round(performance.now() - begun);
  const peakMib = mostResidentMib(child.pid);
  if (idleMs > 0) await pause(idleMs);
  const idleMib = residentMib(child.pid);
  const closed = once(child.removeAllListeners("close"), "close");
  child.kill();
  await closed;
  return { ms, peakMib, idleMib };
}

/** Accounts with a balance; every thousandth has code and two slots. */
async function writeGenesis(path, accounts) {
  const file = createWriteStream(path);
  file.write(
    '{"config":{"chainId":1337,"londonBlock":0,"dev":{}},"gasLimit":"0x1c9c380","alloc":{',
  );
  for (let index = 0; index < accounts; index++) {
    const address = createHash("sha256").update(String(index)).digest("hex").slice(0, 40);
    const contract = ',"code":"0x60203560003560006000a2","storage":{"0x0":"0x1","0x1":"0x2a"}';
    const more = index % 1000 === 0 ? contract : "";
    const text = `${index === 0 ? "" : ","}"0x${address}":{"balance":"0x${(index + 1).toString(16)}"${more}}`;
    if (!file.write(text)) await once(file, "drain");
  }
  file.end("}}");
  await once(file, "finish");
}
