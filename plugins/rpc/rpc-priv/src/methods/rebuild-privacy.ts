import { type Call, method, RpcError, t } from "@plinth/core";
import {
  getPrivacy,
  OldStatesMissing,
  submissionError,
  verifyMember,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { getGroup, groupText } from "../params.js";

/** `admin_rebuildPrivacy`: re-executes private transactions from their payloads. */
export const rebuildPrivacy = method({
  summary:
    "Re-executes the private transactions of a group, or of all groups, from their payloads; returns the last block, and the groups that are skipped because the manager has lost some of their payloads.",
  params: { group: t.optional(groupText), force: t.optional(t.boolean, false) },
  result: t.object({
    until: t.optional(t.quantity),
    left: t.array(t.object({ privacyGroupId: t.text, reason: t.text })),
  }),
  example: { params: [], result: { until: "0x10", left: [] } },
  async handle({ group: text, force }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const group = text === undefined ? undefined : getGroup(text, call.compatibility);
    // Tenants may rebuild only their own groups.
    if (node.nodeKey === undefined && call.client.identity !== undefined) {
      if (group === undefined) throw RpcError.unauthorized();
      await verifyMember(node, group, call.client);
    }
    try {
      return await node.rebuild(group, { force });
    } catch (error) {
      if (error instanceof OldStatesMissing) throw new RpcError(-32000, error.message);
      throw submissionError(error, call.compatibility);
    }
  },
});
