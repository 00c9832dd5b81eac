import { silentLogs } from "@plinth/core/kernel";
import { EnclaveError, type StateOfBlock, type StateQuestion, toBase64 } from "@plinth/kit-enclave";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { countNotCompared, Verification, warningsOf } from "./verification.js";

const [FIRST, SECOND] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
];
const HEAD = 9n;
const HASH = `0x${"cd".repeat(32)}` as const;
const BEFORE = [state(3, "a"), state(7, "b")];

describe("verifying all groups", () => {
  it("compares the other groups if the manager does not have one", async () => {
    const { verification } = open({
      own: BEFORE,
      answer({ privacyGroupId }) {
        if (privacyGroupId === toBase64(FIRST)) throw new EnclaveError(400, "not known");
        return [state(3, "a")];
      },
    });

    const verified = await verification.verify();

    expect(verified.groups).toMatchObject([
      { privacyGroupId: toBase64(FIRST), members: [], problem: "not known" },
      { privacyGroupId: toBase64(SECOND), members: [{ state: "different" }] },
    ]);
    expect(countNotCompared(verified)).toBe(1);
    expect(warningsOf(verified)).toHaveLength(1);
  });

  it.each([
    ["this node", BEFORE.slice(0, 1), BEFORE],
    ["this node, with nothing left,", [], BEFORE],
    ["the member", BEFORE, BEFORE.slice(0, 1)],
    ["the member, in an older block,", BEFORE, [state(3, "c"), state(7, "c")]],
  ])("detects that %s lost something that was equal before", async (_, own, theirs) => {
    const said = { own: BEFORE, theirs: BEFORE };
    const { verification, ground } = open({
      own: BEFORE,
      answer: ({ from, to }) => within(said.theirs, BigInt(from), BigInt(to)),
    });
    const before = await verification.verify();
    expect(before.groups).toMatchObject([
      { members: [{ state: "equal" }] },
      { members: [{ state: "equal" }] },
    ]);

    ground.own = own;
    said.theirs = theirs;
    const { groups } = await verification.verify();

    expect(groups).toMatchObject([
      { members: [{ state: "different" }] },
      { members: [{ state: "different" }] },
    ]);
  });
});

function open({
  own,
  answer,
}: {
  readonly own: readonly StateOfBlock[];
  answer(question: StateQuestion): readonly StateOfBlock[];
}) {
  const ground = { own };
  const verification = new Verification({
    enclave: () => ({
      name: "manager",
      findLost: async () => ({ lost: [], silent: [] }),
      findHere: async () => [],
      compare: async (question: StateQuestion) => [
        { key: "bob", answer: { blocks: answer(question) } },
      ],
    }),
    store: {
      groups: async () => [FIRST, SECOND],
      findLastChange: async (_: Uint8Array, to: bigint) => {
        const last = within(ground.own, 0n, to).at(-1);
        return last && { number: BigInt(last.number), root: last.root };
      },
      findGroupBlock: () => undefined,
    },
    states: {
      lastOf: () => ({ number: HEAD }),
      page: async (_: Uint8Array, { from, to }: { from: bigint; to: bigint }) => ({
        blocks: within(ground.own, from, to),
      }),
    },
    unresolved: { async *all() {} },
    blocks: { findHeader: () => ({ hash: HASH }), findBlock: () => undefined },
    clock: new FakeClock(0),
    log: silentLogs.for("privacy"),
  } as never);
  return { verification, ground };
}

function state(number: number, digit: string): StateOfBlock {
  return { number: String(number), root: `0x${digit.repeat(64)}`, transactions: 1 };
}

function within(all: readonly StateOfBlock[], from: bigint, to: bigint): readonly StateOfBlock[] {
  return all.filter(({ number }) => BigInt(number) >= from && BigInt(number) <= to);
}
