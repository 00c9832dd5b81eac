import { type Call, method, t } from "@plinth/core";
import { type DescribedGroup, keyFromBase64, toBase64 } from "@plinth/kit-enclave";
import {
  getPrivacy,
  groupOfParties,
  keyOf,
  type PrivacyNode,
  privacyError,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { verifyOrdinary } from "../ordinary-groups.js";
import { findPartyGroup } from "../party-group.js";

const group = t.object({
  privacyGroupId: t.text,
  name: t.text,
  description: t.text,
  type: t.text,
  members: t.array(t.text),
});

/** `priv_findPrivacyGroup`: the groups with exactly these members. */
export const findPrivacyGroup = method({
  summary: "Finds the privacy groups with exactly the given keys.",
  params: { members: t.withText(t.array(t.text), "Invalid address params") },
  result: t.array(group),
  example: { params: [["A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo="]], result: [] },
  async handle({ members }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    verifyOrdinary(node, call.compatibility);
    const key = keyOf(node, call.client);
    const isTenant = node.nodeKey === undefined;
    if (isTenant && !members.includes(key)) throw privacyError("Error finding privacy group");
    try {
      const found = await node.enclave.findGroups(members);
      if (call.compatibility.mode === "besu") return found;
      return [...found, ...(await findOfParties(node, members, found))];
    } catch (error) {
      call.log.debug("privacy groups were not found", { error });
      throw privacyError("Error finding privacy group");
    }
  },
});

/** The group formed by a transaction of these parties, if the manager does not list it. */
async function findOfParties(
  node: PrivacyNode,
  members: readonly string[],
  found: readonly DescribedGroup[],
): Promise<readonly DescribedGroup[]> {
  const id = groupOfParties(members.map((member) => keyFromBase64(member, "members")));
  if (found.some(({ privacyGroupId }) => privacyGroupId === toBase64(id))) return [];
  const group = await findPartyGroup(node, id);
  return group === undefined ? [] : [group];
}
