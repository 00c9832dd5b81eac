import { type Call, method } from "@plinth/core";
import { logQuery, shapes } from "@plinth/kit-rpc";
import { searchBlock, searchQuery } from "../logs/log-search.js";
import { logsResult } from "../logs/logs-result.js";

/** `eth_getLogs`: the matching logs of a range or of one block. */
export const getLogs = (maxRange: number) =>
  method({
    summary: "Returns the logs of some blocks, by address and topics.",
    params: { filter: logQuery },
    result: shapes.logs,
    example: {
      params: [{ fromBlock: "0x1", address: "0x00000000000000000000000000000000000000b0" }],
      result: [],
    },
    handle({ filter }, call: Call) {
      const blocks = call.chain.blocks;
      const { compatibility } = call;
      const { blockHash } = filter;
      const pieces =
        blockHash === undefined
          ? searchQuery(blocks, filter, { maxRange, compatibility })
          : searchBlock(blocks, { ...filter, blockHash }, compatibility);
      return logsResult(pieces, call);
    },
  });
