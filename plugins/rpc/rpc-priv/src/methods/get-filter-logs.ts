import { type BlockNumberOrTag, type Call, method, RpcError } from "@plinth/core";
import { logObject, shapes } from "@plinth/kit-rpc";
import { behindError, getPrivacy, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { filterId, getGroup, groupText } from "../params.js";
import type { PrivateFilters } from "../private-filters.js";
import { logsOfRange } from "../private-logs.js";

/** `priv_getFilterLogs`: all matches of a filter. */
export const getFilterLogs = (filters: PrivateFilters) =>
  method({
    summary: "Returns all private logs that a filter matches.",
    params: { privacyGroupId: groupText, filterId },
    result: shapes.logs,
    example: { params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", "0x1a"], result: [] },
    async handle({ privacyGroupId, filterId }, call: Call<typeof dependencies>) {
      const node = getPrivacy(call.privacy);
      const { blocks } = call.chain;
      const group = getGroup(privacyGroupId, call.compatibility);
      await verifyMember(node, group, call.client);
      const asked = call.compatibility.mode === "besu" ? undefined : privacyGroupId;
      const filter = filters.find(filterId, asked, call.clock);
      if (filter === undefined) throw new RpcError(-32000, "Logs filter not found");
      const head = blocks.head().number;
      try {
        await node.executor.waitFor(head, group, call);
      } catch (error) {
        throw behindError(error);
      }
      const { query, matcher } = filter;
      const [from, to] = [numberOf(query.fromBlock, head), numberOf(query.toBlock, head)];
      const found = await logsOfRange(node, blocks, { group, from, to, matcher });
      return found.map((log) => logObject(log, call.compatibility));
    },
  });

function numberOf(block: BlockNumberOrTag, head: bigint): bigint {
  if (typeof block === "bigint") return block;
  return block === "earliest" ? 0n : head;
}
