import { type Call, logQuery, method, t } from "@plinth/core";
import { blocksOf } from "../blocks.js";
import { searchBlock, searchRange } from "../log-search.js";
import { logsAnswer } from "../logs-answer.js";

/** `eth_getLogs`: the logs of a range or of one block that match. */
export const getLogs = (maxRange: number) =>
  method({
    summary: "Returns the logs of some blocks, by address and topics.",
    params: { filter: logQuery },
    result: t.json,
    handle({ filter }, call: Call) {
      const blocks = blocksOf(call);
      const { blockHash } = filter;
      const pieces =
        blockHash === undefined
          ? searchRange(blocks, filter, maxRange)
          : searchBlock(blocks, filter, blockHash);
      return logsAnswer(pieces);
    },
  });
