// Part of `npm run bench state`: a contract that reads its slots in a loop, with both layouts of states.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./measured.mjs";
import { startNode } from "./node-process.mjs";

const SLOTS = 100_000;
const PER_CALL = 10_000;
const ROUNDS = 30;
const READER = "0x00000000000000000000000000000000000010ad";
/** Called with the first slot and their number. */
const CODE = "0x5f3560203581015b815450906001019080821060075700";

/** Slots per second of a call; returns the row of BONSAI against FOREST. */
export async function benchReads() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-reads-"));
  const nodes = {};
  try {
    const genesisFile = join(folder, "genesis.json");
    writeFileSync(genesisFile, JSON.stringify(makeGenesis()));
    for (const format of ["FOREST", "BONSAI"]) {
      const words = [`--genesis-file=${genesisFile}`, `--data-path=${join(folder, format)}`];
      nodes[format] = await startNode([...words, `--data-storage-format=${format}`]);
    }
    const times = { FOREST: [], BONSAI: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const data = `0x${wordOf((round * PER_CALL) % SLOTS)}${wordOf(PER_CALL)}`;
      for (const [format, { rpc }] of Object.entries(nodes)) {
        const begun = performance.now();
        await rpc("eth_call", [{ to: READER, data }, "latest"]);
        times[format].push(performance.now() - begun);
      }
    }
    const rateOf = (format) => Math.round((PER_CALL * 1000) / median(times[format]));
    return [["slots read in a loop, BONSAI", rateOf("BONSAI"), rateOf("FOREST"), "≥ 1.5"]];
  } finally {
    for (const { stop } of Object.values(nodes)) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeGenesis() {
  const storage = {};
  for (let slot = 0; slot < SLOTS; slot++) storage[`0x${wordOf(slot)}`] = "0x1";
  return {
    config: { chainId: 1337, shanghaiTime: 0, dev: {} },
    gasLimit: "0x5f5e1000",
    baseFeePerGas: "0x7",
    alloc: { [READER]: { code: CODE, storage } },
  };
}

function wordOf(number) {
  return number.toString(16).padStart(64, "0");
}
