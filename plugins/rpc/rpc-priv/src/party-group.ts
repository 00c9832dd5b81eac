import { type DescribedGroup, toBase64 } from "@plinth/kit-enclave";
import {
  decodePrivateTransaction,
  groupOf,
  type PrivacyNode,
  unlessRefused,
} from "@plinth/plugin-privacy/api";

/** Its description at the sender's manager. */
const DESCRIPTION =
  "Privacy groups to support the creation of groups by privateFor and privateFrom";

/**
 * The group formed by the parties of a transaction, at one of its recipients.
 *
 * Only the sender's manager stores such a group; a recipient finds it through a transaction of the group that it has executed.
 */
export async function findPartyGroup(
  node: PrivacyNode,
  group: Uint8Array,
): Promise<DescribedGroup | undefined> {
  // With several tenants, groups are those of their manager.
  if (node.nodeKey === undefined) return undefined;
  const marker = await node.store.findMarker(group);
  const place = marker && node.findMarker(marker);
  const payloadKey = place && node.payloadKeyAt(place);
  if (payloadKey === undefined) return undefined;
  const received = await unlessRefused(() => node.enclave.receive(payloadKey, node.nodeKey));
  if (received === undefined) return undefined;
  const transaction = decodePrivateTransaction(received.payload);
  const { privateFrom, privateFor } = transaction;
  const isOfParties =
    privateFor !== undefined && toBase64(groupOf(transaction)) === toBase64(group);
  if (!isOfParties) return undefined;
  return {
    privacyGroupId: toBase64(group),
    name: "legacy",
    description: DESCRIPTION,
    type: "LEGACY",
    members: [...new Set([privateFrom, ...privateFor].map(toBase64))],
  };
}
