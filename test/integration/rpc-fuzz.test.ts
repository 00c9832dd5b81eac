import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createDice } from "../support/mutate.js";
import { type FuzzRequest, mutateRequest, mutateText } from "../support/mutate-request.js";
import { call, type RunningNode, startNode } from "../support/program.js";
import { registerShippedNode } from "../support/shipped-plugins.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run fuzz:rpc` sends a million, `npm test` a part. */
const COUNT = Number(process.env.PLINTH_RPC_REQUESTS ?? 10_000);
const SEED = Number(process.env.PLINTH_SEED ?? 1);
/** Most come in batches, so that a million of them take minutes and not hours. */
const BATCH = 100;
const AT_ONCE = 4;
const TIMEOUT_MS = 120_000 + COUNT * 4;
/** Every namespace; the plugin that reloads itself has nothing that a caller could get wrong. */
const NAMESPACES = [
  "admin",
  "anvil",
  "debug",
  "eth",
  "evm",
  "hardhat",
  "miner",
  "net",
  "plinth",
  "plugins",
  "rpc",
  "trace",
  "txpool",
  "web3",
];
/** Memory is measured this often; the first measurement comes after threads, caches and compiled code are there. */
const MEASUREMENTS = 10;
/** More than a request leaves behind: what is measured is what a million of them do. */
const MAX_GROWTH_BYTES = 300 * 1024 * 1024;

describe("mutated requests", () => {
  it(`are answered, ${COUNT} of them, and the node stays as it was`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    using folder = temporaryFolder();
    await using node = await startNode(
      ["--profile=dev", "--rpc-http-enabled", `--rpc-http-api=${NAMESPACES.join(",")}`],
      { folder: folder.path },
    );
    const measured: number[] = [];
    const requests = await collectRequests();
    const dice = createDice(SEED);
    const codes = new Map<string, number>();
    const failures: string[] = [];

    let sent = 0;
    const send = async () => {
      while (sent < COUNT && failures.length === 0) {
        sent += BATCH;
        const batch = Array.from({ length: BATCH - 1 }, () => {
          const request = requests[dice(requests.length)] ?? { method: "", params: [] };
          return mutateRequest(request, dice);
        });
        for (const failure of await sendBatch(node, batch, codes)) failures.push(failure);
        const [first] = batch;
        const text = JSON.stringify({ jsonrpc: "2.0", id: 1, ...first });
        await post(node, mutateText(text, dice));
        await probe(node);
        if (sent >= (COUNT * (measured.length + 1)) / MEASUREMENTS) measured.push(memoryOf(node));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));

    const logged = node
      .output()
      .split("\n")
      .filter((line) => line.includes("ERROR"));
    expect({ failures, logged }).toEqual({ failures: [], logged: [] });
    const found = [...codes].sort(([, a], [, b]) => b - a).map(([code, n]) => `${code}: ${n}`);
    process.stdout.write(
      `${sent} requests; ${found.join(", ")}; memory ${measured.map(toMegabytes).join(", ")} MB\n`,
    );
    const [first = 0] = measured;
    expect((measured.at(-1) ?? 0) - first).toBeLessThan(MAX_GROWTH_BYTES);
    expect([...codes.keys()]).not.toContain("unexplained");
  });
});

/** A call of every method that works. */
async function collectRequests(): Promise<readonly FuzzRequest[]> {
  const node = await registerShippedNode();
  return node
    .methods()
    .filter(({ namespace }) => NAMESPACES.includes(namespace))
    .map(({ fullName, method }) => ({ method: fullName, params: method.example?.params ?? [] }));
}

/** Sends a batch and counts the codes; answers the requests that were not answered as they should. */
async function sendBatch(
  node: RunningNode,
  batch: readonly FuzzRequest[],
  codes: Map<string, number>,
): Promise<readonly string[]> {
  const body = JSON.stringify(batch.map((request, id) => ({ jsonrpc: "2.0", id, ...request })));
  const answers = JSON.parse(await post(node, body));
  return batch.flatMap((request, id) => {
    const answer = answers[id];
    const code = answer?.error === undefined ? "result" : String(answer.error.code);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    // Besu's code for some calls that cannot begin is -32603, with the reason as data.
    const { message, data } = answer?.error ?? {};
    const isUnexplained = code === "-32603" && message === "Internal error" && data === undefined;
    if (isUnexplained) codes.set("unexplained", (codes.get("unexplained") ?? 0) + 1);
    const isAnswered = answer?.id === id && !isUnexplained;
    return isAnswered ? [] : [`${JSON.stringify(request)}: ${JSON.stringify(answer)}`];
  });
}

async function post(node: RunningNode, body: string): Promise<string> {
  const response = await fetch(node.url, { method: "POST", body });
  return response.text();
}

/** A caller who did nothing wrong. */
async function probe(node: RunningNode): Promise<void> {
  expect(await call(node.url, "eth_chainId")).toBe("0x539");
}

/** Without mapped database files, which the system takes back when it needs the memory. */
function memoryOf({ pid }: RunningNode): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
