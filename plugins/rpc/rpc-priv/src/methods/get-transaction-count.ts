import { type Call, method, t } from "@plinth/core";
import { behindError, getPrivacy, privacyError, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { findGroup, groupText } from "../params.js";

/** `priv_getTransactionCount`: the next private nonce of an account in a group. */
export const getTransactionCount = method({
  summary: "Returns the number of private transactions an account has sent to a group.",
  params: { address: t.address, privacyGroupId: groupText },
  exactParams: true,
  result: t.quantity,
  example: {
    params: [
      "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
      "DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=",
    ],
    result: "0x1",
  },
  async handle({ address, privacyGroupId }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const group = findGroup(privacyGroupId);
    if (group === undefined) throw undetermined();
    await verifyMember(node, group, call.client).catch((error) => {
      throw node.nodeKey === undefined && call.client.identity !== undefined
        ? undetermined()
        : error;
    });
    try {
      return await node.nonceOf(group, address, call);
    } catch (error) {
      throw behindError(error);
    }
  },
});

function undetermined() {
  return privacyError("Unable to determine nonce for account in group.");
}
