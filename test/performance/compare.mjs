// `npm run bench chain`: the development chain compared with anvil, Hardhat's node and ganache,
// under one load. The load and the peers are outside this repository: the folder `bench` next to
// the conformance data.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const COMPARE = process.env.PLINTH_BENCH ?? here("../../../shared/bench/compare.mjs");
const RESULTS = here("../../bench-results");

/**
 * Measures all of them in one run; the table is printed and, with all figures, written to files.
 */
export async function compareChains() {
  if (!existsSync(COMPARE)) {
    console.log(`chain: skipped, ${COMPARE} is not there (PLINTH_BENCH names another)`);
    return;
  }
  mkdirSync(RESULTS, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const node = [
    process.execPath,
    here("../../cli/bin/plinth.js"),
    "--profile=dev",
    "--fresh",
    `--data-path=${folder}`,
    "--rpc-http-port={port}",
    "--rpc-ws-port=0",
  ];
  const words = [COMPARE, "--cmd", node.join(" "), "--json", join(RESULTS, "chain.json")];
  words.push("--rounds", process.env.BENCH_ROUNDS ?? "3");
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.pipe(process.stdout, { end: false });
  child.stdout.pipe(createWriteStream(join(RESULTS, "chain.txt")));
  const [code] = await once(child, "close");
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${COMPARE} ended with ${code}`);
}

/** What a peer takes per second, by scenario; `undefined` if the load is not there. */
export async function ratesOfPeer(peer, scenarios) {
  if (!existsSync(COMPARE)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const file = join(folder, "rates.json");
  const words = [COMPARE, "--peers", peer, "--scenario", scenarios.join(","), "--json", file];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${COMPARE} ended with ${code}`);
  const { table } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true, force: true });
  return scenarios.map((scenario) => table[scenario][peer]);
}
