import { type RpcClient, RpcError } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { unlessRefused } from "./find-private-transaction.js";
import type { PrivacyNode } from "./privacy-node.js";
import { enclaveError, privacyError } from "./rpc-errors.js";
import type { Privacy } from "./service.js";

type Caller = Pick<RpcClient, "identity">;

/** Private transactions for a caller; an error where they are not enabled. */
export function getPrivacy({ node }: Privacy): PrivacyNode {
  if (node === undefined) throw privacyError("Privacy is not enabled");
  return node;
}

/** The key that a caller acts with: that of the node, or the one that its token names. */
export function keyOf(node: PrivacyNode, { identity }: Caller): string {
  if (node.nodeKey !== undefined) return node.nodeKey;
  if (identity === undefined) throw RpcError.unauthorized();
  if (identity.privacyPublicKey === undefined) throw RpcError.invalidRequest();
  return identity.privacyPublicKey;
}

/** Throws unless the caller may see a group; with one tenant the manager alone decides. */
export async function verifyMember(
  node: PrivacyNode,
  group: Uint8Array,
  caller: Caller,
): Promise<void> {
  if (!(await isMember(node, group, caller))) throw RpcError.unauthorized();
}

/** Whether the caller may see a group. */
export async function isMember(
  node: PrivacyNode,
  group: Uint8Array,
  caller: Caller,
): Promise<boolean> {
  if (node.nodeKey !== undefined) return true;
  const key = keyOf(node, caller);
  return (await findGroup(node, group))?.members.includes(key) === true;
}

async function findGroup({ enclave }: PrivacyNode, group: Uint8Array) {
  try {
    return await unlessRefused(() => enclave.retrieveGroup(toBase64(group)));
  } catch (error) {
    throw enclaveError(error);
  }
}
