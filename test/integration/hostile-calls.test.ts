import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longestGap } from "../support/block-gaps.js";
import { createSender } from "../support/dev-load.js";
import { type Poll, pollDuring } from "../support/poller.js";
import { call, type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

// `../shared/attacks/README.md`, "Calls and listeners": each of these once froze a node for all callers.

const A = "0x00000000000000000000000000000000000000aa";
const GAS = "0x2faf080";
const LOOP = "0x5b5f56";
/**
 * `npm run long -- attacks` is for a quiet machine and enforces the limit; here other tests run as
 * well.
 */
const SLACK = process.env.PLINTH_STRICT === undefined ? 4 : 1;
/** Maximum time any other caller may wait for `eth_blockNumber`, and for a small call. */
const MOST_MS = 250 * SLACK;
const MOST_CALL_MS = 1000 * SLACK;
/** Additional time for many at once where other tests run as well; they once took minutes. */
const MANY = process.env.PLINTH_STRICT === undefined ? 3 : 1;
/** A connection each. */
const LOOPS = process.env.PLINTH_STRICT === undefined ? 3 : 70;
/** The time limit of a call; `npm run long -- attacks` uses the default for many. */
const LIMIT_SECONDS = process.env.PLINTH_STRICT === undefined ? 1 : 2;
const LIMIT = `--rpc-call-timeout-seconds=${LIMIT_SECONDS}`;
const LIMIT_OF_MANY = process.env.PLINTH_STRICT === undefined ? [LIMIT] : [];
/** Number of attacks below tried each time; `npm run long -- attacks` tries all. */
const TRIED = process.env.PLINTH_STRICT === undefined ? 3 : Number.POSITIVE_INFINITY;

const PRAGUE = {
  config: { chainId: 1337, londonBlock: 0, shanghaiTime: 0, cancunTime: 0, pragueTime: 0, dev: {} },
  gasLimit: "0x3b9aca00",
  difficulty: "0x1",
  baseFeePerGas: "0x7",
  alloc: {},
};
const APIS = "--rpc-http-api=ETH,WEB3,DEBUG,TRACE";

const looping = [{ to: A, gas: GAS }, "latest", { [A]: { code: LOOP } }];

/** Zero points are valid and cost as much to add as others. */
const zeros = (bytes: number) => `0x${"00".repeat(bytes)}`;
const precompile = (address: number, data: string) => [
  { to: `0x${address.toString(16).padStart(40, "0")}`, gas: GAS, data },
  "latest",
];

/** The first ones differ most. */
const ATTACKS: readonly (readonly [string, string, readonly unknown[]])[] = [
  ["a loop", "eth_call", looping],
  [
    "a loop in a simulated block",
    "eth_simulateV1",
    [
      {
        blockStateCalls: [
          { stateOverrides: { [A]: { code: LOOP } }, calls: [{ to: A, gas: GAS }] },
        ],
      },
      "latest",
    ],
  ],
  ["blake2f with 49 million rounds", "eth_call", precompile(9, `0x02ebae40${"00".repeat(208)}01`)],
  ["a loop whose gas is estimated", "eth_estimateGas", looping],
  ["a loop with an access list", "eth_createAccessList", looping],
  ["a multiplication of 1,500 points", "eth_call", precompile(0x0e, zeros(1500 * 288))],
  ["1,000 pairings", "eth_call", precompile(0x0f, zeros(1000 * 384))],
  ["1,000 pairings on bn254", "eth_call", precompile(8, zeros(1000 * 192))],
  [
    "copies of 256 KiB",
    "eth_call",
    [{ to: A, gas: GAS }, "latest", { [A]: { code: "0x5b620400005f5f37600056" } }],
  ],
  [
    "a recursion",
    "eth_call",
    [{ to: A, gas: GAS }, "latest", { [A]: { code: "0x5f5f5f5f5f305af15f5f5f5f5f305af100" } }],
  ],
];

describe("a call that takes long", () => {
  let folder: TemporaryFolder;
  let node: RunningNode;
  beforeAll(async () => {
    folder = temporaryFolder();
    node = await startPrague(folder.path, [LIMIT]);
  });
  afterAll(async () => {
    await node.stop();
    folder[Symbol.dispose]();
  });

  it.each(ATTACKS.slice(0, TRIED))(
    "does not delay other callers: %s",
    async (_, method, params) => {
      const polls = await pollBoth(node, async () => {
        const start = performance.now();
        await call(node.url, method, params).catch(() => {});
        // The time limit applies, wherever the time is spent.
        expect(performance.now() - start).toBeLessThan(LIMIT_SECONDS * 1000 + 1500 * SLACK);
      });

      expectFree(polls);
    },
  );

  it.runIf(process.platform === "linux")("runs on a low-priority thread", async () => {
    await call(node.url, "eth_call", looping).catch(() => {});

    const priorities = readPriorities(node.pid);

    expect(priorities).toContain(4);
    expect(priorities[0]).toBe(0);
  });
});

/** Enough for 800,000 steps of the cheapest code. */
const SOME_GAS = "0x2faf08";
const FULL_STACK = "5f".repeat(1015);
/** Maximum slowdown of a trace on a full stack that it does not show; it was once a hundred. */
const MOST_TIMES = 10;

describe("a trace of calls", () => {
  let folder: TemporaryFolder;
  let node: RunningNode;
  beforeAll(async () => {
    folder = temporaryFolder();
    node = await startPrague(folder.path, []);
  });
  afterAll(async () => {
    await node.stop();
    folder[Symbol.dispose]();
  });

  const trace = (tracer: string, code: string, gas = GAS) =>
    call(node.url, "debug_traceCall", [
      { to: A, gas },
      "latest",
      { tracer, stateOverrides: { [A]: { code } } },
    ]);

  const timeOf = async (tracer: string, code: string) => {
    const start = performance.now();
    await trace(tracer, code, SOME_GAS);
    return performance.now() - start;
  };

  it.each([
    ["callTracer", "jumps", "5b600056", "5b6103f756"],
    ["prestateTracer", "jumps", "5b600056", "5b6103f756"],
    ["prestateTracer", "slots", "5b5f5450600056", "5b5f54506103f756"],
  ])("does not pay for a stack that it does not show: %s, %s", async (tracer, _, bare, deep) => {
    const usualMs = await timeOf(tracer, `0x${bare}`);

    expect(await timeOf(tracer, `0x${FULL_STACK}${deep}`)).toBeLessThan(MOST_TIMES * usualMs);
  });

  it("is aborted if precompiles get too much input", async () => {
    const code = "0x5b62100000600062100000600060045afa50600056";

    await expect(trace("callTracer", code)).rejects.toMatchObject({
      code: -32000,
      message: "execution aborted: the trace is larger than 268435456 bytes",
    });
  });
});

/** The `nice` values of all threads of a process. */
function readPriorities(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).map((task) => {
    const stat = readFileSync(join(tasks, task, "stat"), "utf8");
    // The name before it may contain spaces.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

describe("calls that take long", () => {
  it(`do not delay other callers, ${LOOPS} of them with four traces and a batch`, async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--dev-period-seconds=1", APIS, ...LIMIT_OF_MANY];
    await using node = await startNode(words, { folder: folder.path });
    const { transactionHash } = await createSender(node, 0).sendData(LOOP_THEN_END);

    const polls = await pollBoth(node, async () => {
      const loops = Array.from({ length: LOOPS }, () =>
        call(node.url, "eth_call", looping).catch(() => {}),
      );
      const traces = Array.from({ length: 4 }, () => readTrace(node.url, transactionHash));
      const batch = fetch(node.url, { method: "POST", body: JSON.stringify(aBatch(3)) }).then(
        (response) => response.text(),
      );
      const [lengths] = await Promise.all([Promise.all(traces), Promise.all(loops), batch]);
      expect(Math.min(...lengths)).toBeGreaterThan(TRACE_BYTES);
    });

    expectFree(polls, MANY);
    expect(await longestGap(node, 1)).toBeLessThanOrEqual(2 * SLACK);
  });

  it("do not keep a node from stopping", async () => {
    using folder = temporaryFolder();
    const node = await startPrague(folder.path, []);
    const loops = Array.from({ length: 4 }, () => call(node.url, "eth_call", looping));
    for (const loop of loops) loop.catch(() => {});
    await call(node.url, "eth_blockNumber");

    const start = performance.now();
    const { code } = await node.stop();

    expect(code).toBe(0);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it("do not end a node whose threads are busy when parameters are nested deeply", async () => {
    using folder = temporaryFolder();
    await using node = await startPrague(folder.path, []);
    const loops = Array.from({ length: 4 }, () => call(node.url, "eth_call", looping));
    for (const loop of loops) loop.catch(() => {});
    const nested = `${"[".repeat(900)}${"]".repeat(900)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${nested}}`;
    const answers = Array.from({ length: 4 }, () => fetch(node.url, { method: "POST", body }));

    for (const answer of await Promise.all(answers)) {
      expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
    }

    expect(await call(node.url, "eth_blockNumber")).toBe("0x0");
  });

  it("are aborted when their callers disconnect", async () => {
    using folder = temporaryFolder();
    await using node = await startPrague(folder.path, ["--rpc-call-timeout-seconds=600"]);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: looping });
    for (let round = 0; round < 4; round++) {
      const leaving = AbortSignal.timeout(300);
      await fetch(node.url, { method: "POST", body, signal: leaving }).catch(() => {});
    }

    // Long calls find a thread again.
    const params = precompile(9, `0x00989680${"00".repeat(208)}01`);
    expect(await call(node.url, "eth_call", params)).toMatch(/^0x/);
  });
});

describe("threads", () => {
  it.each([
    ["none", ["--rpc-worker-threads=0"]],
    ["one", ["--rpc-worker-threads=1"]],
    ["the default number", []],
  ])("have the same results: %s", async (_, words) => {
    using folder = temporaryFolder();
    await using node = await startPrague(folder.path, words);
    const code = { [A]: { code: "0x602a60005260206000f3" } };

    expect(await call(node.url, "eth_call", [{ to: A }, "latest", code])).toBe(
      `0x${"2a".padStart(64, "0")}`,
    );
    expect(await call(node.url, "eth_call", [{ to: A }, "pending", code])).toMatch(/2a$/);
    expect(await call(node.url, "eth_estimateGas", [{ to: A, value: "0x0" }])).toBe("0x5208");
    const reverting = { [A]: { code: "0x5f5ffd" } };
    await expect(
      call(node.url, "eth_call", [{ to: A }, "latest", reverting]),
    ).rejects.toMatchObject({ code: 3, data: "0x" });
    await expect(call(node.url, "eth_call", [{ to: "bob" }, "latest"])).rejects.toMatchObject({
      code: -32602,
    });
    await expect(call(node.url, "eth_call", looping.slice(0, 2).concat("x"))).rejects.toMatchObject(
      {
        code: -32602,
      },
    );
  });
});

/** Rounds of a traced loop. */
const ROUNDS = process.env.PLINTH_STRICT === undefined ? 5000 : 20_000;
/** Runs that loop, and ends. */
const LOOP_THEN_END = `0x61${ROUNDS.toString(16).padStart(4, "0")}5b600190038060035700`;
/** Its trace has more. */
const TRACE_BYTES = (10 * 1024 * 1024 * ROUNDS) / 20_000;

/**
 * The length of a transaction's trace.
 *
 * Parsing it would take half a second, in which the pollers of this process could not read their responses.
 */
async function readTrace(url: string, hash: string): Promise<number> {
  const request = { jsonrpc: "2.0", id: 1, method: "debug_traceTransaction", params: [hash] };
  const { body } = await fetch(url, { method: "POST", body: JSON.stringify(request) });
  let length = 0;
  for await (const piece of body ?? []) length += piece.length;
  return length;
}

function aBatch(length: number) {
  return Array.from({ length }, (_, id) => {
    return { jsonrpc: "2.0", id, method: "eth_call", params: looping };
  });
}

function startPrague(folder: string, words: readonly string[]): Promise<RunningNode> {
  writeFileSync(join(folder, "genesis.json"), JSON.stringify(PRAGUE));
  return startNode(["--genesis-file=genesis.json", "--rpc-http-enabled", APIS, ...words], {
    folder,
  });
}

/** Two callers beside the work: one requests the head, one makes a small call. */
async function pollBoth(node: RunningNode, work: () => Promise<void>) {
  const small = { name: "eth_call", params: [{ to: A }, "latest"] };
  let calls: Poll = { answers: 0, slowestMs: 0 };
  const numbers = await pollDuring(node.url, async () => {
    calls = await pollDuring(node.url, work, small);
  });
  return { numbers, calls };
}

function expectFree(
  { numbers, calls }: { readonly numbers: Poll; readonly calls: Poll },
  factor = 1,
): void {
  expect(numbers.slowestMs).toBeLessThan(MOST_MS * factor);
  expect(calls.slowestMs).toBeLessThan(MOST_CALL_MS * factor);
}
