import { type Call, type Hash, method, t } from "@plinth/core";
import { contractAddress } from "@plinth/core/blocks";
import type { FlatTrace } from "@plinth/kit-trace";
import {
  enclaveError,
  getPrivacy,
  keyOf,
  type MarkerPlace,
  type PrivacyNode,
  unlessRefused,
  verifyMember,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { getGroup, groupText } from "../params.js";

/** `priv_traceTransaction`: the calls of a private transaction. */
export const traceTransaction = method({
  summary: "Returns the calls of a private transaction, each before its inner calls.",
  params: { privacyGroupId: groupText, transaction: t.hash },
  result: t.json,
  example: {
    params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", `0x${"ab".repeat(32)}`],
    result: [],
  },
  async handle({ privacyGroupId, transaction: hash }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const group = getGroup(privacyGroupId, call.compatibility);
    await verifyMember(node, group, call.client);
    const place = node.findMarker(hash);
    const caller = { signal: call.signal, owner: call.client.connection ?? call.client };
    try {
      const key = keyOf(node, call.client);
      if (place === undefined || !(await isFor(key, node, { ...place, hash, group }))) return [];
      const traces = await node.trace(group, place, caller);
      return traces.map((trace) =>
        placed(trace, place, { hash, isBesu: call.compatibility.mode === "besu" }),
      );
    } catch (error) {
      throw enclaveError(error);
    }
  },
});

/**
 * Whether the payload can be decrypted with the key of the caller, or belongs to a flexible group
 * of which it is a member.
 */
async function isFor(
  key: string,
  node: PrivacyNode,
  { hash, group, ...place }: MarkerPlace & { readonly hash: Hash; readonly group: Uint8Array },
): Promise<boolean> {
  const payloadKey = node.payloadKeyAt(place);
  if (payloadKey === undefined) return false;
  const { number, hash: blockHash } = place.block.header;
  const { markers = [] } = node.store.findGroupBlock({ group, number, blockHash }) ?? {};
  if (node.isFlexible && markers.includes(hash)) return true;
  return (await unlessRefused(() => node.enclave.receive(payloadKey, key))) !== undefined;
}

function placed(
  trace: FlatTrace,
  { block: { header }, index }: MarkerPlace,
  { hash, isBesu }: { readonly hash: `0x${string}`; readonly isBesu: boolean },
) {
  const { action, result, ...rest } = isBesu ? withoutResults(trace) : trace;
  return {
    action,
    blockHash: header.hash,
    blockNumber: Number(header.number),
    ...(result === undefined ? {} : { result }),
    ...rest,
    transactionHash: hash,
    ...(isBesu ? {} : { transactionPosition: index }),
  };
}

/** Besu returns no gas and no output, and for a new contract the address of a public one. */
function withoutResults(trace: FlatTrace): FlatTrace {
  const { gas: _, ...action } = trace.action as FlatTrace["action"] & { readonly gas?: string };
  if (trace.type === "call") {
    return { ...trace, action: action as never, result: { gasUsed: "0x0", output: "0x" } };
  }
  if (trace.type !== "create" || !("from" in action)) return trace;
  const address = contractAddress({ sender: action.from, nonce: 0n });
  return { ...trace, action: action as never, result: { address, code: "0x", gasUsed: "0x0" } };
}
