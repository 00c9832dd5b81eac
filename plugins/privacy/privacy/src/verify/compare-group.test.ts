import type { MemberAnswer, StateOfBlock, StateQuestion } from "@plinth/kit-enclave";
import { describe, expect, it } from "vitest";
import { compareGroup } from "./compare-group.js";
import type { GroupStates } from "./group-states.js";

const GROUP = new Uint8Array(32).fill(1);
const BOB = "bob";
const HEAD = 3000n;

describe("comparing a group with its other members", () => {
  it("covers all blocks in pages", async () => {
    const own = blocks(1, 1600);
    const asked: StateQuestion[] = [];

    const compared = await compare(own, (question) => {
      asked.push(question);
      return [{ key: BOB, answer: { blocks: part(own, question) } }];
    });

    expect(compared).toMatchObject({ to: HEAD, members: [{ key: BOB, state: "equal" }] });
    expect(asked.map(({ from, to }) => [from, to])).toEqual([
      ["0", "500"],
      ["501", "1000"],
      ["1001", "1500"],
      ["1501", "3000"],
    ]);
  });

  it("stops at the first difference of the last member", async () => {
    const own = blocks(1, 1600);
    const theirs = own.filter(({ number }) => number !== "700");
    let questions = 0;

    const compared = await compare(own, (question) => {
      questions += 1;
      return [{ key: BOB, answer: { blocks: part(theirs, question) } }];
    });

    expect(compared?.members).toMatchObject([
      { state: "different", difference: { number: 700n, theirs: undefined } },
    ]);
    expect(questions).toBe(2);
  });

  it("reports which member was unreachable, and compares the others", async () => {
    const own = blocks(1, 10);

    const compared = await compare(own, (question) => [
      { key: "carol", problem: "its manager cannot be asked" },
      { key: "dave", answer: { problem: "it has another block 3000" } },
      { key: BOB, answer: { blocks: part(own, question) } },
    ]);

    expect(compared?.members).toEqual([
      { key: "carol", state: "not compared", problem: "its manager cannot be asked" },
      { key: "dave", state: "not compared", problem: "it has another block 3000" },
      { key: BOB, state: "equal" },
    ]);
  });

  it("ignores differences in what is re-executed meanwhile", async () => {
    const own = [...blocks(1, 10)];

    const compared = await compare(own, (question) => {
      const theirs = part(blocks(1, 10), question);
      own.splice(3);
      return [{ key: BOB, answer: { blocks: theirs } }];
    });

    expect(compared?.members).toMatchObject([{ key: BOB, state: "not compared" }]);
  });

  it("is skipped if the manager cannot query others", async () => {
    expect(await compare([], () => undefined)).toBeUndefined();
  });
});

function blocks(from: number, to: number): readonly StateOfBlock[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    number: String(from + index),
    root: `0x${(from + index).toString(16).padStart(64, "0")}`,
    transactions: 1,
  }));
}

function part(all: readonly StateOfBlock[], { from, to }: StateQuestion): readonly StateOfBlock[] {
  return all.filter(({ number }) => BigInt(number) >= BigInt(from) && BigInt(number) <= BigInt(to));
}

function compare(
  own: readonly StateOfBlock[],
  answer: (question: StateQuestion) => readonly MemberAnswer[] | undefined,
) {
  const states = {
    lastOf: () => ({ number: HEAD }),
    async page(_: Uint8Array, { from, limit = 0 }: { from: bigint; limit?: number }) {
      const left = own.filter(({ number }) => BigInt(number) >= from);
      const next = left[limit];
      return { blocks: left.slice(0, limit), ...(next && { next: BigInt(next.number) }) };
    },
  } as unknown as GroupStates;
  return compareGroup(GROUP, 0n, {
    enclave: { compare: async (question) => answer(question) },
    states,
    blocks: { findHeader: () => ({ hash: `0x${"cd".repeat(32)}` }) } as never,
  });
}
