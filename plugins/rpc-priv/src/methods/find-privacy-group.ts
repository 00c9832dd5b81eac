import { type Call, method, t } from "@plinth/core";
import { getPrivacy, keyOf, privacyError } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";

const group = t.object({
  privacyGroupId: t.text,
  name: t.text,
  description: t.text,
  type: t.text,
  members: t.array(t.text),
});

/** `priv_findPrivacyGroup`: the groups that have exactly these members. */
export const findPrivacyGroup = method({
  summary: "Finds the privacy groups of some keys, and of no others.",
  params: { members: t.withText(t.array(t.text), "Invalid address params") },
  result: t.array(group),
  example: { params: [["A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo="]], result: [] },
  async handle({ members }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const key = keyOf(node, call.client);
    const isTenant = node.nodeKey === undefined;
    if (isTenant && !members.includes(key)) throw privacyError("Error finding privacy group");
    try {
      return await node.enclave.findGroups(members);
    } catch (error) {
      call.log.debug("privacy groups were not found", { error });
      throw privacyError("Error finding privacy group");
    }
  },
});
