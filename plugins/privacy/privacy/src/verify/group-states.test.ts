import { toBase64 } from "@plinth/kit-enclave";
import { describe, expect, it } from "vitest";
import { GroupStates } from "./group-states.js";

const HEAD = 10n;
const GROUP = toBase64(new Uint8Array(32).fill(1));
const hashOf = (number: bigint) => `0x${number.toString(16).padStart(64, "0")}` as const;
const { signal } = new AbortController();

describe("the query of another member", () => {
  it.each([
    ["for a block that may never arrive", HEAD + 3n, hashOf(HEAD + 3n)],
    ["for a block of another chain", 4n, hashOf(5n)],
  ])("%s is not delayed", async (_, to, blockHash) => {
    const { states, waits } = open();

    const answer = await states.answer(question(to, blockHash), signal);

    expect(answer).toEqual({ problem: `it has another block ${to}, or none` });
    expect(waits).toEqual([]);
  });

  it("for the next block of this node waits for it", async () => {
    const { states, waits } = open();

    await states.answer(question(HEAD + 1n, hashOf(HEAD + 1n)), signal);

    expect(waits).toEqual([HEAD + 1n]);
  });

  it("is not answered with partial results while private transactions are re-executed", async () => {
    const { states, ground } = open();
    ground.read = () => {
      ground.executedTo = 2n;
    };

    const answer = await states.answer(question(HEAD, hashOf(HEAD)), signal);

    expect(answer).toEqual({ problem: "its private transactions have run up to block 2 only" });
  });
});

function open() {
  const waits: bigint[] = [];
  const ground = { executedTo: HEAD, read: () => {} };
  const headerOf = (number: bigint) =>
    number <= HEAD ? { number, hash: hashOf(number) } : undefined;
  const states = new GroupStates({
    store: {
      async *groupBlocks() {
        ground.read();
        yield* [];
      },
    },
    executor: {
      executedTo: () => ground.executedTo,
      waitFor: async (number: bigint) => {
        waits.push(number);
      },
    },
    blocks: { findHeader: headerOf, head: () => headerOf(HEAD) },
  } as never);
  return { states, waits, ground };
}

function question(to: bigint, blockHash: string) {
  return { privacyGroupId: GROUP, from: "0", to: String(to), blockHash };
}
