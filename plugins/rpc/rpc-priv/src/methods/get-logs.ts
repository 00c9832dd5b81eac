import { type Call, method } from "@plinth/core";
import { LogMatcher, logObject, shapes } from "@plinth/kit-rpc";
import { behindError, getPrivacy, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { getGroup, groupText, numberAt, wholeChainFilter } from "../params.js";
import { logsOfBlock, logsOfRange } from "../private-logs.js";

/** `priv_getLogs`: the private logs of a group. */
export const getLogs = method({
  summary: "Returns the logs of a group's private transactions, by address and topics.",
  params: { privacyGroupId: groupText, filter: wholeChainFilter },
  result: shapes.logs,
  example: { params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", {}], result: [] },
  async handle({ privacyGroupId, filter }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const { blocks } = call.chain;
    const group = getGroup(privacyGroupId, call.compatibility);
    await verifyMember(node, group, call.client);
    const matcher = new LogMatcher(filter.criteria);
    const { fromBlock, toBlock, blockHash } = filter;
    try {
      await node.executor.waitFor(blocks.head().number, group, call);
    } catch (error) {
      throw behindError(error);
    }
    if (blockHash !== undefined) {
      const header = blocks.findHeader(blockHash);
      if (header === undefined) return [];
      const isRemoved = blocks.findHeader(header.number)?.hash !== header.hash;
      return logsOfBlock(node, blocks, { group, header, isRemoved })
        .filter(({ log }) => matcher.matches(log))
        .map((log) => logObject(log, call.compatibility));
    }
    // In Besu, any tag means the genesis block as `fromBlock`, and the head as `toBlock`.
    const isBesu = call.compatibility.mode === "besu";
    const from = isBesu && typeof fromBlock !== "bigint" ? 0n : numberAt(fromBlock, blocks);
    const to =
      isBesu && typeof toBlock !== "bigint" ? blocks.head().number : numberAt(toBlock, blocks);
    const found = await logsOfRange(node, blocks, { group, from, to, matcher });
    return found.map((log) => logObject(log, call.compatibility));
  },
});
