import { silentLogs } from "@plinth/core";
import { FakeClock } from "@plinth/core/testing";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { expect, it } from "vitest";
import { countNotCompared, Verification, warningsOf } from "./verification.js";

const [LOST, KNOWN] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
];

it("a group that the manager does not know does not keep others from being compared", async () => {
  const verification = open(async ({ privacyGroupId }) => {
    if (privacyGroupId === toBase64(LOST)) throw new EnclaveError(400, "the group is not known");
    return [{ key: "bob", answer: { blocks: [] } }];
  });

  const verified = await verification.verify();

  expect(verified.groups).toEqual([
    { privacyGroupId: toBase64(LOST), to: 9n, members: [], problem: "the group is not known" },
    { privacyGroupId: toBase64(KNOWN), to: 9n, members: [{ key: "bob", state: "equal" }] },
  ]);
  expect(countNotCompared(verified)).toBe(1);
  expect(warningsOf(verified)).toEqual([]);
});

it("a member that could not be asked before is compared from the last change on", async () => {
  const asked: string[] = [];
  let isCarolThere = false;
  const change = { number: "5", root: `0x${"aa".repeat(32)}`, transactions: 1 };
  const verification = open(
    async ({ from }) => {
      asked.push(from);
      return [
        { key: "bob", answer: { blocks: [change] } },
        isCarolThere
          ? { key: "carol", answer: { blocks: [] } }
          : { key: "carol", problem: "its manager does not answer" },
      ];
    },
    { blocks: [change], groups: [KNOWN] },
  );

  await verification.verify();
  isCarolThere = true;
  const { groups } = await verification.verify();

  expect(asked).toEqual(["0", "5"]);
  expect(groups[0]?.members).toMatchObject([
    { key: "bob", state: "equal" },
    { key: "carol", state: "different", difference: { number: 5n } },
  ]);
});

function open(
  compare: (question: { privacyGroupId: string; from: string }) => Promise<unknown>,
  { blocks = [], groups = [LOST, KNOWN] }: { blocks?: object[]; groups?: Uint8Array[] } = {},
): Verification {
  const header = { number: 9n, hash: `0x${"cd".repeat(32)}` };
  const all = async function* () {};
  return new Verification({
    enclave: () => ({ name: "ours", compare }),
    store: { groups: async () => groups, findGroupBlock: () => undefined },
    states: { lastOf: () => header, page: async () => ({ blocks }) },
    unresolved: { all },
    blocks: { findHeader: () => header, findBlock: () => undefined },
    clock: new FakeClock(0),
    log: silentLogs.for("privacy"),
  } as never);
}
