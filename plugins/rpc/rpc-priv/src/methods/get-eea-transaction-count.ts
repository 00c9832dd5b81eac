import { type Call, method, t } from "@plinth/core";
import { EnclaveError, fromBase64 } from "@plinth/kit-enclave";
import {
  behindError,
  getPrivacy,
  groupOfParties,
  keyOf,
  privacyError,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";

/** `priv_getEeaTransactionCount`: the next private nonce of an account among some parties. */
export const getEeaTransactionCount = method({
  summary: "Returns the number of private transactions an account has sent to a group of parties.",
  params: {
    address: t.address,
    privateFrom: t.withText(t.text, "Invalid private from params"),
    privateFor: t.withText(t.array(t.text), "Invalid private for params"),
  },
  exactParams: true,
  alsoIn: "eea",
  result: t.quantity,
  example: {
    params: [
      "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
      "A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=",
      ["Ko2bVqD+nNlNYL5EE7y3IdOnviftjiizpjRt+HTuFBs="],
    ],
    result: "0x1",
  },
  async handle({ address, privateFrom, privateFor }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    if (privateFrom !== keyOf(node, call.client)) {
      throw privacyError("Private from does not match enclave public key");
    }
    const group = groupOfParties([privateFrom, ...privateFor].map(readKey));
    try {
      return await node.nonceOf(group, address, call);
    } catch (error) {
      throw behindError(error);
    }
  },
});

function readKey(text: string): Uint8Array {
  try {
    return fromBase64(text, "key");
  } catch (error) {
    if (!(error instanceof EnclaveError)) throw error;
    throw privacyError("Unable to determine nonce for account in group.");
  }
}
