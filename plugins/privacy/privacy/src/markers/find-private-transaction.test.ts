import { loadCrypto } from "@plinth/core";
import { type DescribedGroup, EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { beforeAll, expect, it } from "vitest";
import { groupOfParties, signPrivateTransaction } from "../transaction/private-transaction.js";
import { fetchForExecution } from "./find-private-transaction.js";

const [ALICE, BOB, CAROL] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const KEY = new Uint8Array(32).fill(7);

beforeAll(() => loadCrypto());

it("a transaction for parties runs in the group they form", async () => {
  const group = groupOfParties([ALICE, BOB]);

  const found = await fetch({ sentTo: group, parties: { privateFor: [BOB] } });

  expect(found).toMatchObject({ kind: "found", found: { group } });
});

it("a payload for others does not run in a group named beside it", async () => {
  const ofOthers = groupOfParties([BOB, CAROL]);
  const groups = new Map([[toBase64(ofOthers), [BOB, CAROL]]]);

  const found = await fetch({ sentTo: ofOthers, parties: { privateFor: [BOB] }, groups });

  expect(found).toEqual({ kind: "refused" });
});

it("members can name a group that their transaction does not", async () => {
  const group = new Uint8Array(32).fill(9);
  const groups = new Map([[toBase64(group), [ALICE, BOB]]]);

  const found = await fetch({ sentTo: group, parties: { privateFor: [BOB] }, groups });

  expect(found).toMatchObject({ kind: "found", found: { group } });
});

it("only members write to a created group", async () => {
  const group = new Uint8Array(32).fill(9);
  const order = { sentTo: group, parties: { privacyGroupId: group } };
  const members = (keys: Uint8Array[]) => new Map([[toBase64(group), keys]]);

  expect((await fetch({ ...order, groups: members([ALICE, BOB]) })).kind).toBe("found");
  expect((await fetch({ ...order, groups: members([BOB, CAROL]) })).kind).toBe("refused");
  expect(await fetch(order)).toEqual({
    kind: "unknown group",
    unknownGroup: { id: group, senderKey: ALICE },
  });
});

it("members write to a group that their managers have, although nodes do not find it", async () => {
  const group = groupOfParties([ALICE, BOB]);
  const order = { sentTo: group, parties: { privacyGroupId: group } };
  const members = (keys: Uint8Array[]) => new Map([[toBase64(group), keys]]);

  expect((await fetch({ ...order, hidden: members([ALICE, BOB]) })).kind).toBe("found");
  expect((await fetch({ ...order, hidden: members([BOB, CAROL]) })).kind).toBe("refused");
});

/** Fetches a transaction of Alice from a manager that has some groups. */
function fetch({
  sentTo,
  parties,
  groups = new Map(),
  hidden = new Map(),
}: {
  readonly sentTo: Uint8Array;
  readonly parties:
    | { readonly privateFor: readonly Uint8Array[] }
    | { readonly privacyGroupId: Uint8Array };
  readonly groups?: ReadonlyMap<string, readonly Uint8Array[]>;
  readonly hidden?: ReadonlyMap<string, readonly Uint8Array[]>;
}) {
  const payload = signPrivateTransaction(
    {
      nonce: 0n,
      gasPrice: 0n,
      gasLimit: 100_000n,
      value: 0n,
      data: new Uint8Array(),
      privateFrom: ALICE,
      restriction: "restricted",
      ...parties,
    },
    KEY,
  );
  const texts = { name: "", description: "", type: "PANTHEON" };
  const manager = {
    receive: async () => ({ payload, senderKey: ALICE, privacyGroupId: sentTo }),
    async retrieveGroup(privacyGroupId: string): Promise<DescribedGroup> {
      const members = groups.get(privacyGroupId);
      if (members === undefined) throw new EnclaveError(404, "not found");
      return { privacyGroupId, ...texts, members: members.map(toBase64) };
    },
    async findGroupEver(id: Uint8Array): Promise<DescribedGroup | undefined> {
      const privacyGroupId = toBase64(id);
      const members = hidden.get(privacyGroupId);
      return members && { privacyGroupId, ...texts, members: members.map(toBase64) };
    },
  };
  return fetchForExecution(manager, new Uint8Array(32));
}
