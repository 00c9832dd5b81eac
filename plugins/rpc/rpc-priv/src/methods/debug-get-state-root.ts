import { type Call, method, RpcError, t } from "@plinth/core";
import { EnclaveError, EnclaveUnreachable, fromBase64, toBase64 } from "@plinth/kit-enclave";
import { findHeader } from "@plinth/kit-rpc";
import {
  behindError,
  enclaveError,
  findFlexibleMembers,
  getPrivacy,
  keyOf,
  privacyError,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { block, findGroup, groupText } from "../params.js";
import { findPartyGroup } from "../party-group.js";

const INVALID_GROUP = "Invalid privacy group params";

/** `priv_debugGetStateRoot`: the state root of a group, which is the same at all its members. */
export const debugGetStateRoot = method({
  summary: "Returns the root of a group's private state after a block.",
  params: { privacyGroupId: groupText, block },
  result: t.hash,
  example: {
    params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", "latest"],
    result: `0x${"ab".repeat(32)}`,
  },
  async handle({ privacyGroupId, block }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const key = keyOf(node, call.client);
    verifyBase64(privacyGroupId);
    const group = findGroup(privacyGroupId);
    if (group === undefined) throw privacyError("Error finding privacy group");
    if (node.isFlexible) await verifyFlexible(group, key, call);
    else await verifyOrdinary(group, key, call);
    const header = findHeader(call.chain.blocks, block);
    if (header === undefined) throw RpcError.internal();
    try {
      return await node.rootAt(group, header, call);
    } catch (error) {
      throw behindError(error);
    }
  },
});

async function verifyOrdinary(
  group: Uint8Array,
  key: string,
  call: Call<typeof dependencies>,
): Promise<void> {
  try {
    const members = await findMembers(group, call);
    if (!members.includes(key)) throw privacyError("Error finding privacy group");
  } catch (error) {
    throw missing(error);
  }
}

/** A node that was removed from a group keeps its last state; tenants must be members. */
async function verifyFlexible(
  group: Uint8Array,
  key: string,
  { privacy, client }: Call<typeof dependencies>,
): Promise<void> {
  const node = getPrivacy(privacy);
  const members = await findFlexibleMembers(node, group, client);
  const isTenant = node.nodeKey === undefined;
  if (members === undefined || (isTenant && !members.includes(key))) {
    throw privacyError("Error finding privacy group");
  }
}

/**
 * The members of a group; unlike in Besu, recipients also find a group formed by the parties of a
 * transaction.
 */
async function findMembers(
  group: Uint8Array,
  { privacy, compatibility }: Call<typeof dependencies>,
): Promise<readonly string[]> {
  const node = getPrivacy(privacy);
  try {
    return (await node.enclave.retrieveGroup(toBase64(group))).members;
  } catch (error) {
    const isUnknown = error instanceof EnclaveError && error.status === 404;
    if (!isUnknown || compatibility.mode === "besu") throw error;
    const parties = await findPartyGroup(node, group);
    if (parties === undefined) throw error;
    return parties.members;
  }
}

function verifyBase64(text: string): void {
  try {
    fromBase64(text, "privacyGroupId");
  } catch {
    throw RpcError.invalidParams(INVALID_GROUP);
  }
}

function missing(error: unknown): unknown {
  if (error instanceof EnclaveUnreachable) return RpcError.invalidParams(INVALID_GROUP);
  if (error instanceof EnclaveError && error.status === 404) {
    return privacyError("Error finding privacy group");
  }
  return enclaveError(error);
}
