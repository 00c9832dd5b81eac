// Reads of geth on the state of a genesis file, with paths as keys of trie nodes.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../node-process.mjs";

export const GETH = fileURLToPath(
  new URL("../../../node_modules/.cache/geth/v1.13.15/geth", import.meta.url),
);
const OURS = '"config":{"chainId":1337,"shanghaiTime":0,"dev":{}}';
/** The same rules as geth has them; it reads the state of block 0 and needs no consensus for that. */
const BLOCKS = "homestead,eip150,eip155,eip158,byzantium,constantinople,petersburg,istanbul,berlin";
const CONFIG = {
  chainId: 1337,
  ...Object.fromEntries(`${BLOCKS},london`.split(",").map((fork) => [`${fork}Block`, 0])),
  terminalTotalDifficulty: 0,
  terminalTotalDifficultyPassed: true,
  shanghaiTime: 0,
};

/** Writes the state of a genesis file into its database. */
export async function initializeGeth(folder, genesisFile) {
  const path = join(folder, "geth-genesis.json");
  await pipeline(createReadStream(genesisFile, "utf8"), replaceConfig, createWriteStream(path));
  const { status, stderr } = spawnSync(
    GETH,
    ["--datadir", join(folder, "geth"), "--state.scheme=path", "init", path],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`geth init failed: ${stderr.slice(-500)}`);
}

async function* replaceConfig(pieces) {
  let isFirst = true;
  for await (const piece of pieces) {
    yield isFirst
      ? piece.replace(OURS, `"difficulty":"0x0","config":${JSON.stringify(CONFIG)}`)
      : piece;
    isFirst = false;
  }
}

/** Starts it without peers. */
export async function serveGeth(folder) {
  const port = await freePort();
  const alone = ["--nodiscover", "--maxpeers=0", "--port=0", "--authrpc.port=0", "--ipcdisable"];
  const http = ["--http", `--http.port=${port}`, "--verbosity=3"];
  const child = spawn(
    GETH,
    ["--datadir", join(folder, "geth"), "--state.scheme=path", ...alone, ...http],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  for await (const piece of child.stderr.iterator({ destroyOnReturn: false })) {
    log += piece;
    if (log.includes("HTTP server started")) break;
  }
  if (child.exitCode !== null) throw new Error(`geth ended: ${log.slice(-500)}`);
  child.stderr.resume();
  const stop = async () => {
    const closed = once(child, "close");
    child.kill("SIGINT");
    await closed;
  };
  return { port, stop };
}
