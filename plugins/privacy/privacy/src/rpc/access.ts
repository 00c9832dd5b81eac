import { type RpcClient, RpcError, type SealedHeader } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { unlessRefused } from "../markers/find-private-transaction.js";
import type { PrivacyNode } from "../privacy-node.js";
import type { Privacy } from "../service.js";
import { behindError, enclaveError, privacyError } from "./rpc-errors.js";

type Caller = Pick<RpcClient, "identity" | "closed" | "connection">;

/** The privacy service for a caller; throws if it is not enabled. */
export function getPrivacy({ node }: Privacy): PrivacyNode {
  if (node === undefined) throw privacyError("Privacy is not enabled");
  return node;
}

/** The key with which a caller acts: the node's, or the one in its token. */
export function keyOf(
  node: Pick<PrivacyNode, "nodeKey">,
  { identity }: Pick<Caller, "identity">,
): string {
  if (node.nodeKey !== undefined) return node.nodeKey;
  if (identity === undefined) throw RpcError.unauthorized();
  if (identity.privacyPublicKey === undefined) throw RpcError.invalidRequest();
  return identity.privacyPublicKey;
}

/**
 * Throws unless the caller may see a group; with a single tenant the manager alone decides.
 *
 * The members of a flexible group are read at a block, by default at the head.
 */
export async function verifyMember(
  node: PrivacyNode,
  group: Uint8Array,
  caller: Caller,
  header?: SealedHeader,
): Promise<void> {
  if (!(await isMember(node, group, caller, header))) throw RpcError.unauthorized();
}

/** Whether the caller may see a group. */
export async function isMember(
  node: PrivacyNode,
  group: Uint8Array,
  caller: Caller,
  header?: SealedHeader,
): Promise<boolean> {
  if (node.nodeKey !== undefined) return true;
  const key = keyOf(node, caller);
  if (node.flexible !== undefined) {
    // A group that does not exist yet is open to all.
    return (await findFlexibleMembers(node, group, caller, header))?.includes(key) !== false;
  }
  return (await findGroup(node, group))?.members.includes(key) === true;
}

/**
 * The members of a flexible group after a block, by default at the head; `undefined` if this node
 * does not have the group.
 */
export async function findFlexibleMembers(
  node: PrivacyNode,
  group: Uint8Array,
  { closed, connection }: Pick<Caller, "closed" | "connection">,
  header = node.head,
): Promise<readonly string[] | undefined> {
  const asking = { signal: closed, owner: connection ?? closed };
  try {
    return await node.flexible?.findMembers({ group, header }, asking);
  } catch (error) {
    throw behindError(error);
  }
}

async function findGroup({ enclave }: PrivacyNode, group: Uint8Array) {
  try {
    return await unlessRefused(() => enclave.retrieveGroup(toBase64(group)));
  } catch (error) {
    throw enclaveError(error);
  }
}
