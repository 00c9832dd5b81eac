import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { loadCrypto, signTransaction, toHex } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { clientFolder, isMissing } from "./installed.js";
import { CONTRACTS, makeTransactions, SENDER } from "./traced-contracts.js";

const ANVIL = join(clientFolder("foundry"), "node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil");
const BALANCE = 10n ** 24n;
const GAS_LIMIT = 30_000_000;

type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

describe.skipIf(isMissing("foundry", "@foundry-rs/anvil-linux-amd64"))(
  "the traces of 200 transactions",
  { timeout: 180_000 },
  () => {
    it.each([
      ["callTracer", {}],
      ["callTracer", { withLog: true }],
      ["4byteTracer", {}],
      ["prestateTracer", {}],
      ["prestateTracer", { diffMode: true }],
    ])("are those of anvil: %s %j", async (tracer, tracerConfig) => {
      await loadCrypto();
      using folder = temporaryFolder();
      await using anvil = await startAnvil();
      await using node = await startOurs(folder.file("genesis.json"), folder.path);
      const differences: unknown[] = [];

      for (const [index, transaction] of makeTransactions(200).entries()) {
        const raw = toHex(signTransaction(transaction, SENDER.key));
        const answers = [];
        for (const rpc of [node.rpc, anvil.rpc]) {
          const hash = await rpc("eth_sendRawTransaction", [raw]);
          answers.push(await rpc("debug_traceTransaction", [hash, { tracer, tracerConfig }]));
        }
        const [ours, theirs] = answers.map((answer) => comparable(answer, tracer));
        const isKnown = tracer === "4byteTracer" && transaction.name === "call of a precompile";
        if (!isKnown && JSON.stringify(ours) !== JSON.stringify(theirs)) {
          differences.push({ index, name: transaction.name, ours, theirs });
        }
      }

      expect(differences).toEqual([]);
    });
  },
);

/** Where anvil has other words than geth, whose words are ours. */
const WORDS: Readonly<Record<string, string>> = {
  StateChangeDuringStaticCall: "write protection",
  CreateCollision: "contract address collision",
};

/**
 * What both mean, in one order.
 *
 * Other differences that are known: anvil does not count the intrinsic gas into `gas` of the first frame,
 * tells of accounts that were not there before, counts calls of precompiles by their first four bytes, and
 * has no `codeHash`; all of them otherwise than geth.
 */
function comparable(answer: unknown, tracer: string): unknown {
  const { gas: _gas, ...rest } = Object(answer);
  return ordered(tracer === "callTracer" ? rest : answer);
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value === "string") return WORDS[value] ?? value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => name !== "codeHash" && !wasNotThere(member))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)]),
  );
}

function wasNotThere(member: unknown): boolean {
  return JSON.stringify(member) === JSON.stringify({ balance: "0x0" });
}

async function startOurs(genesisFile: string, folder: string) {
  const alloc = {
    [SENDER.address]: { balance: String(BALANCE) },
    ...Object.fromEntries(
      Object.entries(CONTRACTS).map(([address, code]) => [address, { code, balance: "1000" }]),
    ),
  };
  const genesis = {
    config: { chainId: 1337, cancunTime: 0, dev: {} },
    gasLimit: `0x${GAS_LIMIT.toString(16)}`,
    // So that the first block has the base fee of anvil's.
    baseFeePerGas: String(1_142_857_142),
    alloc,
  };
  writeFileSync(genesisFile, JSON.stringify(genesis));
  const words = [`--genesis-file=${genesisFile}`, "--rpc-http-enabled", "--rpc-http-api=ETH,DEBUG"];
  const node = await startNode(words, { folder });
  const rpc: Rpc = async (method, params) => {
    const answer = await node.rpc(method, params);
    if (method === "eth_sendRawTransaction") await mined(node.rpc, answer);
    return answer;
  };
  return { rpc, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
}

async function startAnvil() {
  const port = await freePort();
  const child = spawn(
    ANVIL,
    [
      ...["--silent", "--host", "127.0.0.1", "--port", String(port), "--chain-id", "1337"],
      ...["--hardfork", "cancun", "--gas-limit", String(GAS_LIMIT), "--accounts", "0"],
      ...["--block-base-fee-per-gas", "1000000000"],
    ],
    { stdio: "ignore" },
  );
  const rpc = createRpc(`http://127.0.0.1:${port}`);
  await answers(rpc, child);
  await rpc("anvil_setBalance", [SENDER.address, `0x${BALANCE.toString(16)}`]);
  for (const [address, code] of Object.entries(CONTRACTS)) {
    await rpc("anvil_setCode", [address, code]);
    await rpc("anvil_setBalance", [address, "0x3e8"]);
  }
  return {
    rpc: (async (method, params) => {
      const answer = await rpc(method, params);
      if (method === "eth_sendRawTransaction") await mined(rpc, answer);
      return answer;
    }) as Rpc,
    async [Symbol.asyncDispose]() {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}

async function mined(rpc: Rpc, hash: unknown): Promise<void> {
  while ((await rpc("eth_getTransactionReceipt", [hash])) === null) {
    await new Promise((resolve) => setImmediate(resolve));
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
  throw new Error("anvil did not start");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
