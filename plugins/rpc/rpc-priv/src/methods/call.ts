import { type Call, method, RpcError, t, toHex } from "@plinth/core";
import { callRequest, findHeader, findRevertReason } from "@plinth/kit-rpc";
import { behindError, getPrivacy, privacyError, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { block, getGroup, groupText } from "../params.js";

const ZERO_ADDRESS = `0x${"00".repeat(20)}` as const;
const SELECTOR_BYTES = 4;

/** `priv_call`: executes a private call without changing state. */
export const call = method({
  summary: "Executes a call on the private state of a group and returns its output.",
  params: { privacyGroupId: groupText, call: callRequest, block },
  result: t.optional(t.data),
  example: {
    params: [
      "DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=",
      { to: "0xebf56429e6500e84442467292183d4d621359838", data: "0x3fa4f245" },
      "latest",
    ],
    result: `0x${"00".repeat(31)}2a`,
  },
  async handle({ privacyGroupId, call: request, block }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const { to, from = ZERO_ADDRESS, data, value, gas, gasPrice = 0n } = request;
    const isBesu = call.compatibility.mode === "besu";
    if (to === undefined && isBesu) throw RpcError.invalidParams("Invalid call params");
    const group = getGroup(privacyGroupId, call.compatibility);
    if (value !== 0n) throw transfers(call.compatibility.mode);
    const header = findHeader(call.chain.blocks, block);
    await verifyMember(node, group, call.client, header);
    if (header === undefined) return undefined;
    const caller = { signal: call.signal, owner: call.client.connection ?? call.client };
    try {
      // Besu gives a call the gas limit of a private transaction.
      const message = { from, to, data, gasPrice, gas: isBesu ? undefined : gas };
      const result = await node.call(message, { group, header }, caller);
      if (result.outcome === "success") return result.returnValue;
      throw failure(result.outcome === "reverted" ? result.returnValue : new Uint8Array());
    } catch (error) {
      throw behindError(error);
    }
  },
});

/** The revert data, if it is not empty. */
function failure(reason: Uint8Array): RpcError {
  if (reason.length < SELECTOR_BYTES) return privacyError("Private transaction failed");
  const data = toHex(reason);
  const text = findRevertReason(data);
  return new RpcError(
    -32000,
    text === undefined ? "Execution reverted" : `Execution reverted: ${text}`,
    data,
  );
}

function transfers(mode: string): RpcError {
  // Seen live.
  if (mode === "besu") return RpcError.internal();
  return privacyError("We cannot transfer ether in a private transaction yet.");
}
