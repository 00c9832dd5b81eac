import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.js";
import { GETH } from "../support/geth.js";
import { startNode } from "../support/program.js";
import type { TemporaryFolder } from "../support/temporary-folder.js";
import { clientFolder } from "./installed.js";
import { CONTRACTS, SENDER } from "./traced-contracts.js";

const ANVIL = join(clientFolder("foundry"), "node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil");
const BALANCE = 10n ** 24n;
const GAS_LIMIT = 30_000_000;
/** The base fee of a block whose child has 1 gwei. */
const FIRST_BASE_FEE = 1_142_857_142;

type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A tracing node; a sent transaction is in a block when the response arrives. */
export interface Tracing extends AsyncDisposable {
  readonly rpc: Rpc;
}

/** Our own node, with the rules of a peer. */
export async function startOurs(folder: TemporaryFolder, rules: object): Promise<Tracing> {
  const genesisFile = writeGenesis(folder, { chainId: 1337, ...rules, dev: {} });
  const words = [`--genesis-file=${genesisFile}`, "--rpc-http-enabled", "--rpc-http-api=ETH,DEBUG"];
  const node = await startNode(words, { folder: folder.path });
  return { rpc: mining(node.rpc), [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
}

/** geth with its developer chain, which has no rules after Shanghai. */
export async function startGeth(folder: TemporaryFolder): Promise<Tracing> {
  const blocks = ["homestead", "eip150", "eip155", "eip158", "byzantium", "constantinople"];
  const more = ["petersburg", "istanbul", "berlin", "london", "arrowGlacier", "grayGlacier"];
  const genesisFile = writeGenesis(folder, {
    chainId: 1337,
    ...Object.fromEntries([...blocks, ...more].map((name) => [`${name}Block`, 0])),
    shanghaiTime: 0,
    terminalTotalDifficulty: 0,
    terminalTotalDifficultyPassed: true,
  });
  const data = ["--datadir", folder.file("geth")];
  execFileSync(GETH, [...data, "init", genesisFile], { stdio: "ignore" });
  const port = await freePort();
  return startProgram(GETH, port, [
    ...["--dev", ...data, "--networkid", "1337", "--miner.etherbase", `0x${"0".repeat(40)}`],
    ...["--nodiscover", "--maxpeers", "0", "--nat", "none", "--ipcdisable"],
    ...["--http", "--http.addr", "127.0.0.1", "--http.port", String(port)],
    ...["--http.api", "eth,debug"],
  ]);
}

/** Writes a genesis file with the sender and the contracts; its first block has a base fee of 1 gwei. */
function writeGenesis(folder: TemporaryFolder, config: object): string {
  const alloc = {
    [SENDER.address]: { balance: String(BALANCE) },
    ...Object.fromEntries(
      Object.entries(CONTRACTS).map(([address, code]) => [address, { code, balance: "1000" }]),
    ),
  };
  const path = folder.file(`genesis-${Object.keys(config).length}.json`);
  const gasLimit = `0x${GAS_LIMIT.toString(16)}`;
  // geth runs only chains whose terminal total difficulty is reached.
  const genesis = { difficulty: "0x1", gasLimit, baseFeePerGas: String(FIRST_BASE_FEE) };
  writeFileSync(path, JSON.stringify({ config, ...genesis, alloc }));
  return path;
}

/** anvil, with the same accounts set before the first block. */
export async function startAnvil(): Promise<Tracing> {
  const port = await freePort();
  const anvil = await startProgram(ANVIL, port, [
    ...["--silent", "--host", "127.0.0.1", "--port", String(port), "--chain-id", "1337"],
    ...["--hardfork", "cancun", "--gas-limit", String(GAS_LIMIT), "--accounts", "0"],
    ...["--block-base-fee-per-gas", "1000000000"],
  ]);
  const { rpc } = anvil;
  await rpc("anvil_setBalance", [SENDER.address, `0x${BALANCE.toString(16)}`]);
  for (const [address, code] of Object.entries(CONTRACTS)) {
    await rpc("anvil_setCode", [address, code]);
    await rpc("anvil_setBalance", [address, "0x3e8"]);
  }
  return anvil;
}

async function startProgram(
  program: string,
  port: number,
  words: readonly string[],
): Promise<Tracing> {
  const child = spawn(program, words, { stdio: "ignore" });
  const rpc = createRpc(`http://127.0.0.1:${port}`);
  await answers(rpc, child);
  return {
    rpc: mining(rpc),
    async [Symbol.asyncDispose]() {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}

function mining(rpc: Rpc): Rpc {
  return async (method, params) => {
    const answer = await rpc(method, params);
    if (method === "eth_sendRawTransaction") await mined(rpc, answer);
    return answer;
  };
}

async function mined(rpc: Rpc, hash: unknown): Promise<void> {
  while ((await findReceipt(rpc, hash)) === null) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function findReceipt(rpc: Rpc, hash: unknown): Promise<unknown> {
  try {
    return await rpc("eth_getTransactionReceipt", [hash]);
  } catch (error) {
    // geth has the block then, but not its index yet.
    if (String(error).includes("transaction indexing is in progress")) return null;
    throw error;
  }
}

function createRpc(url: string): Rpc {
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const answer = Object(await (await fetch(url, { method: "POST", headers, body })).json());
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
}

async function answers(rpc: Rpc, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    try {
      await rpc("eth_chainId", []);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`${child.spawnfile} did not start`);
}
