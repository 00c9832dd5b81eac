import { type Call, method, t } from "@plinth/core";
import { findHeader } from "@plinth/kit-rpc";
import { behindError, getPrivacy, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { block, getGroup, groupText } from "../params.js";

/** `priv_getCode`: the code of a private contract. */
export const getCode = method({
  summary: "Returns the code of a private account of a group.",
  params: { privacyGroupId: groupText, address: t.address, block },
  result: t.optional(t.data),
  example: {
    params: [
      "DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=",
      "0xebf56429e6500e84442467292183d4d621359838",
      "latest",
    ],
    result: "0x6080",
  },
  async handle({ privacyGroupId, address, block }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const group = getGroup(privacyGroupId, call.compatibility);
    await verifyMember(node, group, call.client);
    const header = findHeader(call.chain.blocks, block);
    if (header === undefined) return undefined;
    try {
      return await node.findCode(group, { header, address }, call.signal);
    } catch (error) {
      throw behindError(error);
    }
  },
});
