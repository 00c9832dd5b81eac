import { HeadFeed } from "@plinth/node";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import type { Header, SealedHeader } from "../blocks/header.js";
import type { Hash } from "../primitives/hex.js";
import type { BlockOrder, ChainReader, ConsensusEngine, ProducerHost } from "./engine.js";
import { EngineSchedule } from "./schedule.js";

/** An engine that differs from others in every result. */
function anEngine(name: string, more: Partial<ConsensusEngine> = {}): ConsensusEngine {
  const answer: Hash = `0x${name}`;
  return {
    finality: "eventual",
    hashHeader: () => answer,
    author: () => answer,
    feeRecipient: () => answer,
    verifyHeader: () => {
      throw new Error(`verified by ${name}`);
    },
    prepareHeader: (draft) => draft,
    ...more,
  };
}

function at(number: bigint, fields: Partial<Header> = {}): SealedHeader {
  const point = { number, timestamp: number * 10n, difficulty: 1n, hash: `0x${number}` };
  return { ...point, ...fields } as SealedHeader;
}

/** Every block has difficulty ten. */
const chain: ChainReader = {
  findHeader: () => undefined,
  findBlock: () => undefined,
  findTotalDifficulty: (hash) => BigInt(Number(hash)) * 10n + 10n,
};

const [a, b, c] = ["a", "b", "c"].map((name) => anEngine(name)) as [
  ConsensusEngine,
  ConsensusEngine,
  ConsensusEngine,
];
const first = { engine: a, startBlock: 0n, precedence: 1 };

describe("a schedule of engines", () => {
  it("assigns each engine the blocks from its first one on", () => {
    const schedule = new EngineSchedule([{ engine: b, startBlock: 5n, precedence: 1 }, first]);

    expect([0n, 4n, 5n, 6n].map((number) => schedule.hashHeader(at(number)))).toEqual([
      "0xa",
      "0xa",
      "0xb",
      "0xb",
    ]);
  });

  it("uses precedence if two engines start at the same block", () => {
    const schedule = new EngineSchedule([{ engine: b, startBlock: 0n, precedence: 2 }, first]);

    expect(schedule.engineFor(at(3n), 0n)).toBe(a);
  });

  it("merges at the block that reaches the terminal total difficulty", () => {
    const schedule = new EngineSchedule([first], { engine: c, totalDifficulty: 30n });

    expect([20n, 29n, 30n, 40n].map((weight) => schedule.engineFor(at(3n), weight))).toEqual([
      a,
      a,
      c,
      c,
    ]);
  });

  it("merges at a time if no total difficulty is given, but not with the first block", () => {
    const schedule = new EngineSchedule([first], { engine: c, time: 20n });

    expect([1n, 2n, 3n].map((number) => schedule.engineFor(at(number), 0n))).toEqual([a, c, c]);
    expect(schedule.engineFor(at(0n, { timestamp: 100n }), 0n)).toBe(a);
  });

  it("verifies by the total difficulty of the parent, whatever the header claims", () => {
    const schedule = new EngineSchedule([first], { engine: c, totalDifficulty: 30n });

    const claimed = at(2n, { difficulty: 0n });

    expect(() => schedule.verifyHeader(claimed, at(1n), chain)).toThrow("verified by a");
    expect(() => schedule.verifyHeader(at(3n), at(2n), chain)).toThrow("verified by c");
  });

  it("derives hash and author from the header alone", () => {
    const schedule = new EngineSchedule([first], { engine: c, totalDifficulty: 30n });

    expect(schedule.hashHeader(at(3n))).toBe("0xa");
    expect(schedule.author(at(3n, { difficulty: 0n }))).toBe("0xc");
    expect(schedule.feeRecipient(at(0n, { difficulty: 0n }))).toBe("0xa");
  });

  it("prefers blocks after the merge, and otherwise what their engine prefers", () => {
    const longest = anEngine("d", {
      prefers: ({ header }, head) => header.number > head.header.number,
    });
    const schedule = new EngineSchedule([first], { engine: longest, totalDifficulty: 30n });
    const weigh = (header: SealedHeader, totalDifficulty: bigint) => ({ header, totalDifficulty });
    const heavy = weigh(at(9n), 90n);
    const merged = weigh(at(4n, { difficulty: 0n }), 40n);
    const next = weigh(at(5n, { difficulty: 0n }), 40n);

    expect(schedule.prefers(merged, heavy)).toBe(true);
    expect(schedule.prefers(heavy, merged)).toBe(false);
    expect(schedule.prefers(next, merged)).toBe(true);
    expect(schedule.prefers(heavy, weigh(at(10n), 80n))).toBe(true);
  });

  it("produces empty blocks unless the engine of the parent forbids it", () => {
    const idle = anEngine("b", { makesEmptyBlocks: () => false });
    const schedule = new EngineSchedule([first, { engine: idle, startBlock: 5n, precedence: 1 }]);

    expect([3n, 5n].map((number) => schedule.makesEmptyBlocks(at(number)))).toEqual([true, false]);
  });

  it("has the finality of the last engine", () => {
    const instant = {
      engine: anEngine("b", { finality: "instant" }),
      startBlock: 5n,
      precedence: 1,
    };

    expect(new EngineSchedule([first, instant]).finality).toBe("instant");
    expect(new EngineSchedule([first], { engine: instant.engine, time: 5n }).finality).toBe(
      "eventual",
    );
  });

  it("hands production over to the engine of the next block", async () => {
    const made: string[] = [];
    const producing = (name: string) =>
      anEngine(name, {
        async produce({ signal, head, build }) {
          while (!signal.aborted && head().number < 4n) {
            await build({ timestamp: 0n });
            made.push(name);
          }
        },
      });
    const schedule = new EngineSchedule([
      { engine: producing("a"), startBlock: 0n, precedence: 1 },
      { engine: producing("b"), startBlock: 3n, precedence: 1 },
    ]);

    await schedule.produce(aHost());

    expect(made).toEqual(["a", "a", "b", "b"]);
  });

  it("replaces an engine that never proposes when the head reaches its end block", async () => {
    const control = new AbortController();
    const host = aHost(control.signal);
    const events: string[] = [];
    const watching = (name: string) =>
      anEngine(name, {
        async produce({ heads }) {
          events.push(`${name} begins`);
          for await (const { number } of heads()) events.push(`${name} sees ${number}`);
          events.push(`${name} ends`);
        },
      });
    const schedule = new EngineSchedule([
      { engine: watching("a"), startBlock: 0n, precedence: 1 },
      // This engine produces nothing at all.
      { engine: anEngine("c"), startBlock: 2n, precedence: 1 },
      { engine: watching("b"), startBlock: 3n, precedence: 1 },
    ]);

    const done = schedule.produce(host);
    for (let blocks = 0; blocks < 3; blocks++) {
      await new Promise((resolve) => setImmediate(resolve));
      host.extend();
    }
    await new Promise((resolve) => setImmediate(resolve));
    control.abort();
    await done;

    expect(events).toEqual([
      "a begins",
      "a sees 0",
      "a sees 1",
      "a ends",
      "b begins",
      "b sees 2",
      "b sees 3",
      "b ends",
    ]);
  });

  it("aborts an engine and rethrows the error if the heads cannot be followed", async () => {
    const waiting = anEngine("a", {
      produce: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    });
    const schedule = new EngineSchedule([
      { engine: waiting, startBlock: 0n, precedence: 1 },
      { engine: anEngine("b"), startBlock: 3n, precedence: 1 },
    ]);
    const host = aHost();
    const heads = async function* () {
      yield host.head();
      throw new Error("no disk");
    };

    await expect(schedule.produce({ ...host, heads })).rejects.toThrow("no disk");
  });

  it("returns production to the previous engine when the head is rewound", async () => {
    const control = new AbortController();
    const host = aHost(control.signal);
    const events: string[] = [];
    const watching = (name: string) =>
      anEngine(name, {
        async produce({ heads, signal }) {
          for await (const { number } of heads()) {
            if (!signal.aborted) events.push(`${name} ${number}`);
          }
        },
      });
    const schedule = new EngineSchedule([
      { engine: watching("a"), startBlock: 0n, precedence: 1 },
      { engine: watching("b"), startBlock: 2n, precedence: 1 },
    ]);
    const turn = () => new Promise((resolve) => setImmediate(resolve));

    const done = schedule.produce(host);
    await turn();
    host.extend();
    await turn();
    host.rewind();
    await turn();
    control.abort();
    await done;

    expect(events.filter((event) => event !== "a 1" && event !== "b 0")).toEqual([
      "a 0",
      "b 1",
      "a 0",
    ]);
  });

  it("ends production with the merge, and propagates errors", async () => {
    const made: bigint[] = [];
    const engine = anEngine("a", {
      async produce({ head, build }) {
        for (;;) {
          await build({ timestamp: 0n });
          made.push(head().number);
        }
      },
    });
    const schedule = new EngineSchedule([{ ...first, engine }], {
      engine: c,
      totalDifficulty: 30n,
    });

    await schedule.produce(aHost());
    expect(made).toEqual([1n, 2n]);

    const broken = anEngine("a", { produce: () => Promise.reject(new Error("no disk")) });
    await expect(
      new EngineSchedule([{ ...first, engine: broken }]).produce(aHost()),
    ).rejects.toThrow("no disk");
  });
});

/** A host on which every request becomes a block. */
function aHost(
  signal = new AbortController().signal,
): ProducerHost & { extend(): void; rewind(): void } {
  let head = at(0n);
  const feed = new HeadFeed(() => head);
  const extend = () => {
    head = at(head.number + 1n);
    feed.announce();
  };
  const build = async (_: BlockOrder) => {
    extend();
    return { block: { header: head, body: { transactions: [], uncles: [] } } };
  };
  return {
    signal,
    clock: new FakeClock(0),
    extend,
    rewind() {
      head = at(head.number - 1n);
      feed.announce();
    },
    heads: (more = signal) => feed.follow(more),
    sign: () => Promise.reject(new Error("this node has no key")),
    chain,
    head: () => head,
    hasTransactions: () => false,
    execute: () => Promise.reject(new Error("there are no proposals here")),
    build,
    submit: async () => head,
  };
}
