import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MEASURABLE, type Memory, measureMemory } from "../support/memory.js";
import { createDice } from "../support/mutate.js";
import { type FuzzRequest, mutateRequest, mutateText } from "../support/mutate-request.js";
import { call, type RunningNode, runProgram, startNode } from "../support/program.js";
import { registerShippedNode } from "../support/shipped-plugins.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- fuzz-rpc` sends a million, `npm test` a part. */
const COUNT = Number(process.env.PLINTH_RPC_REQUESTS ?? 1_000);
const SEED = Number(process.env.PLINTH_SEED ?? 1);
/** Most are in batches, so that a million of them take minutes and not hours. */
const BATCH = 100;
const AT_ONCE = 4;
const TIMEOUT_MS = 120_000 + COUNT * 4;
/** Every namespace; the plugin that reloads itself has nothing that a caller could get wrong. */
const NAMESPACES = [
  "admin",
  "anvil",
  "clique",
  "debug",
  "eea",
  "eth",
  "evm",
  "hardhat",
  "ibft",
  "miner",
  "net",
  "perm",
  "plinth",
  "plugins",
  "priv",
  "qbft",
  "rpc",
  "trace",
  "txpool",
  "web3",
];
/**
 * Memory is measured after each round; threads, caches and compiled code are allocated by the
 * first.
 */
const ROUNDS = 10;
/** A million requests that leak 35 bytes each would exceed it; caches that fill up do not. */
const MAX_GROWTH_BYTES = 32 * 1024 * 1024;
/** The resident memory of the process includes the heaps of its threads and their reserves. */
const MAX_RESIDENT_GROWTH_BYTES = 128 * 1024 * 1024;

describe("mutated requests", () => {
  it(`get a response, ${COUNT} of them, and the node is unaffected`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    using folder = temporaryFolder();
    await using node = await startNode(
      [
        "--profile=dev",
        "--rpc-http-enabled",
        `--rpc-http-api=${NAMESPACES.join(",")}`,
        ...(await enablePrivacy(folder)),
      ],
      { folder: folder.path, environment: MEASURABLE },
    );
    const fuzz = new Fuzz(node, await collectRequests());
    const measured: Memory[] = [];
    for (let round = 0; round < ROUNDS && fuzz.failures.length === 0; round++) {
      await fuzz.send(COUNT / ROUNDS);
      // Filters requested by callers are not a leak.
      await fuzz.removeFilters();
      measured.push(await measureMemory(node));
    }

    const logged = node
      .output()
      .split("\n")
      .filter((line) => line.includes("ERROR"));
    expect({ failures: fuzz.failures, logged }).toEqual({ failures: [], logged: [] });
    const list = (bytes: readonly number[]) => bytes.map(toMegabytes).join(", ");
    const inUse = measured.map((memory) => memory.inUse);
    const resident = measured.map((memory) => memory.resident);
    process.stdout.write(
      `${COUNT} requests; ${fuzz.found()}; in use ${list(inUse)} MB; resident ${list(resident)} MB\n`,
    );
    expect(growthOf(inUse)).toBeLessThan(MAX_GROWTH_BYTES);
    expect(growthOf(resident)).toBeLessThan(MAX_RESIDENT_GROWTH_BYTES);
  });
});

/** The arguments for a node with an embedded private transaction manager. */
async function enablePrivacy(folder: TemporaryFolder): Promise<readonly string[]> {
  const words = ["enclave", "keygen", `--to=${folder.file("manager")}`];
  const { code, stderr } = await runProgram(words, { folder: folder.path });
  if (code !== 0) throw new Error(stderr);
  const lines = [
    'url = "http://127.0.0.1:1/"',
    "peer-port = 0",
    "node-port = 0",
    'key-files = ["manager.key"]',
  ];
  writeFileSync(folder.file("enclave.toml"), lines.join("\n"));
  writeFileSync(folder.file("marker"), `0x${"11".repeat(32)}`);
  return [
    "--privacy-enabled",
    `--privacy-public-key-file=${folder.file("manager.pub")}`,
    `--privacy-marker-transaction-signing-key-file=${folder.file("marker")}`,
    `--enclave-config-file=${folder.file("enclave.toml")}`,
  ];
}

/** Sends mutated requests to a node, and records their outcomes. */
class Fuzz {
  /** The requests with an unexpected response. */
  readonly failures: string[] = [];
  readonly #node: RunningNode;
  readonly #requests: readonly FuzzRequest[];
  readonly #dice = createDice(SEED);
  readonly #codes = new Map<string, number>();
  readonly #filters: unknown[] = [];

  constructor(node: RunningNode, requests: readonly FuzzRequest[]) {
    this.#node = node;
    this.#requests = requests;
  }

  /** Sends this many, over several connections. */
  async send(count: number): Promise<void> {
    let sent = 0;
    const sendSome = async () => {
      while (sent < count && this.failures.length === 0) {
        sent += BATCH;
        await this.#sendBatch();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  }

  /** Removes the filters that were installed. */
  async removeFilters(): Promise<void> {
    const filters = this.#filters.splice(0);
    while (filters.length > 0) {
      const requests = filters.splice(0, BATCH).map((id) => {
        return { method: "eth_uninstallFilter", params: [id] };
      });
      await post(this.#node, toBatch(requests));
    }
  }

  /** Number of responses per code. */
  found(): string {
    const codes = [...this.#codes].sort(([, a], [, b]) => b - a);
    return codes.map(([code, count]) => `${code}: ${count}`).join(", ");
  }

  async #sendBatch(): Promise<void> {
    const dice = this.#dice;
    const batch = Array.from({ length: BATCH - 1 }, () => {
      const request = this.#requests[dice(this.#requests.length)] ?? { method: "", params: [] };
      return mutateRequest(request, dice);
    });
    const answers = JSON.parse(await post(this.#node, toBatch(batch)));
    for (const [id, request] of batch.entries()) this.#judge(request, id, answers[id]);
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, ...batch[0] });
    await post(this.#node, mutateText(text, dice));
    await probe(this.#node);
  }

  #judge(request: FuzzRequest, id: number, answer: Answer | undefined): void {
    const { code = "result", message, data } = answer?.error ?? {};
    this.#codes.set(String(code), (this.#codes.get(String(code)) ?? 0) + 1);
    if (/^eth_new.*Filter$/.test(request.method)) this.#filters.push(answer?.result);
    // Besu's code for some calls that cannot start is -32603, with the reason as data.
    const isUnexplained = code === -32603 && message === "Internal error" && data === undefined;
    if (answer?.id === id && !isUnexplained) return;
    this.failures.push(`${JSON.stringify(request)}: ${JSON.stringify(answer)}`);
  }
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A valid call of every method. */
async function collectRequests(): Promise<readonly FuzzRequest[]> {
  const node = await registerShippedNode();
  return node
    .methods()
    .filter(({ namespace }) => NAMESPACES.includes(namespace))
    .map(({ fullName, method }) => ({ method: fullName, params: method.example?.params ?? [] }));
}

function toBatch(requests: readonly FuzzRequest[]): string {
  return JSON.stringify(requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request })));
}

async function post(node: RunningNode, body: string): Promise<string> {
  const response = await fetch(node.url, { method: "POST", body });
  return response.text();
}

/** An innocent caller. */
async function probe(node: RunningNode): Promise<void> {
  expect(await call(node.url, "eth_chainId")).toBe("0x539");
}

/** From the first measurement to the last. */
function growthOf(measured: readonly number[]): number {
  return (measured.at(-1) ?? 0) - (measured[0] ?? 0);
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
