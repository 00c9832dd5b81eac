import { type Call, method, RpcError } from "@plinth/core";
import { logObject, shapes } from "@plinth/kit-rpc";
import { behindError, getPrivacy, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { filterId, getGroup, groupText } from "../params.js";
import type { PrivateFilters } from "../private-filters.js";

/** `priv_getFilterChanges`: the results of a filter since the last poll. */
export const getFilterChanges = (filters: PrivateFilters) =>
  method({
    summary: "Returns the private logs since the filter was last polled.",
    params: { privacyGroupId: groupText, filterId },
    result: shapes.logs,
    example: { params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", "0x1a"], result: [] },
    async handle({ privacyGroupId, filterId }, call: Call<typeof dependencies>) {
      const node = getPrivacy(call.privacy);
      const group = getGroup(privacyGroupId, call.compatibility);
      await verifyMember(node, group, call.client);
      const asked = call.compatibility.mode === "besu" ? undefined : privacyGroupId;
      const filter = filters.find(filterId, asked, call.clock);
      if (filter === undefined) throw new RpcError(-32000, "Filter not found");
      try {
        await node.executor.waitFor(call.chain.blocks.head().number, group, call);
      } catch (error) {
        throw behindError(error);
      }
      return filters.take(filter).map((log) => logObject(log, call.compatibility));
    },
  });
