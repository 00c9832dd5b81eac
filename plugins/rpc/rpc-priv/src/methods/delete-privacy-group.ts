import { type Call, method, t } from "@plinth/core";
import { getPrivacy, keyOf, privacyError, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { verifyOrdinary } from "../ordinary-groups.js";
import { findGroup, groupText } from "../params.js";

/** `priv_deletePrivacyGroup`: deletes a group; its private state stays. */
export const deletePrivacyGroup = method({
  summary: "Deletes a privacy group at the managers of its members.",
  params: { privacyGroupId: groupText },
  result: t.text,
  example: {
    params: ["8lDVI66RZHIrBsolz6Kn88Rd+WsJ4hUjb4hsh29xW/o="],
    result: "8lDVI66RZHIrBsolz6Kn88Rd+WsJ4hUjb4hsh29xW/o=",
  },
  async handle({ privacyGroupId }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    verifyOrdinary(node, call.compatibility);
    const key = keyOf(node, call.client);
    const group = findGroup(privacyGroupId);
    if (group === undefined) throw privacyError("Error deleting privacy group");
    await verifyMember(node, group, call.client);
    try {
      return await node.enclave.deleteGroup(privacyGroupId, key);
    } catch (error) {
      call.log.debug("a privacy group was not deleted", { error });
      throw privacyError("Error deleting privacy group");
    }
  },
});
