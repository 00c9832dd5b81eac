import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { expect, it } from "vitest";
import { privacyStatus } from "./privacy-status.js";
import { privateTransactionStatus } from "./private-transaction-status.js";

const [OWN, FOREIGN] = [1, 2].map((byte) => toBase64(new Uint8Array(32).fill(byte))) as [
  string,
  string,
];
const MARKER = `0x${"ab".repeat(32)}` as const;
interface Status {
  readonly groups: readonly { readonly privacyGroupId: string }[];
}
const HELD = { since: 0, block: 7n, marker: MARKER, reason: "does not end" };

it("tenants see the groups of which they are members, the operator all", async () => {
  const groups = async (key?: string) => {
    const status = (await privacyStatus.handle(undefined as never, aCall(key))) as Status;
    return status.groups.map(({ privacyGroupId }) => privacyGroupId);
  };

  expect(await groups("tenant")).toEqual([OWN]);
  expect(await groups("another")).toEqual([]);
  expect(await groups()).toEqual([OWN, FOREIGN]);
});

it("tenants learn nothing about the private transactions of others", async () => {
  const params = { transaction: MARKER } as never;

  expect(await privateTransactionStatus.handle(params, aCall("tenant"))).toEqual({
    status: "not a party",
    reason: undefined,
    blockNumber: 7n,
  });
});

/**
 * A call of a tenant on a node with a group of the tenant and one of others, whose transaction is
 * stuck.
 */
function aCall(key?: string) {
  const status = {
    head: 9n,
    delivered: 9n,
    manager: "of this node",
    waiting: undefined,
    groups: [
      { privacyGroupId: OWN, pending: 1, held: undefined },
      { privacyGroupId: FOREIGN, pending: 1, held: HELD },
    ],
  };
  const block = { header: { number: 7n, hash: MARKER }, body: { transactions: [] } };
  const node = {
    nodeKey: undefined,
    executor: { status: () => status, stageOf: () => "delivered" },
    verification: { last: undefined },
    late: { unknownGroups: [] },
    findMarker: () => ({ block, index: 0 }),
    payloadKeyAt: () => new Uint8Array(32),
    enclave: {
      retrieveGroup: async (id: string) => ({ members: id === OWN ? ["tenant"] : ["others"] }),
      async receive() {
        throw new EnclaveError(404, "not for this key");
      },
    },
  };
  return {
    privacy: { node },
    clock: { now: () => 0 },
    client: key === undefined ? {} : { identity: { privacyPublicKey: key } },
    compatibility: { mode: "strict" },
    pool: { find: () => undefined },
  } as never;
}
