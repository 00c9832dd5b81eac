import { type Call, method, RpcError, t } from "@plinth/core";
import {
  getPrivacy,
  submissionError,
  type VerifiedGroup,
  verifyMember,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { getGroup, groupText } from "../params.js";

const states = t.object({ root: t.text, transactions: t.integer() });
const member = t.object({
  key: t.text,
  state: t.text,
  problem: t.optional(t.text),
  difference: t.optional(
    t.object({
      block: t.quantity,
      markers: t.array(t.hash),
      own: t.optional(states),
      theirs: t.optional(states),
      advice: t.text,
    }),
  ),
});

/** `plinth_verifyPrivacy`: whether the members of groups have the same private states. */
export const verifyPrivacy = method({
  summary:
    "Compares the private state of a group with those of its other members, or of all groups, and names the first block that differs.",
  params: { group: t.optional(groupText) },
  result: t.object({
    groups: t.array(t.object({ privacyGroupId: t.text, to: t.quantity, members: t.array(member) })),
    lost: t.array(t.object({ block: t.quantity, marker: t.hash })),
    problem: t.optional(t.text),
  }),
  example: { params: [], result: { groups: [], lost: [] } },
  async handle({ group: text }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const group = text === undefined ? undefined : getGroup(text, call.compatibility);
    if (node.nodeKey === undefined && call.client.identity !== undefined) {
      if (group === undefined) throw RpcError.unauthorized();
      await verifyMember(node, group, call.client);
    }
    try {
      const { groups, lost, problem } = await node.verify(group);
      return {
        groups: groups.map(describeGroup),
        lost: lost.map(({ number, marker }) => ({ block: number, marker })),
        problem,
      };
    } catch (error) {
      throw submissionError(error, call.compatibility);
    }
  },
});

function describeGroup({ privacyGroupId, to, members, problem }: VerifiedGroup) {
  return {
    privacyGroupId,
    to,
    problem,
    members: members.map(({ key, state, problem: why, difference, markers = [], advice = "" }) => ({
      key,
      state,
      problem: why,
      difference: difference && {
        block: difference.number,
        markers,
        own: difference.own,
        theirs: difference.theirs,
        advice,
      },
    })),
  };
}
