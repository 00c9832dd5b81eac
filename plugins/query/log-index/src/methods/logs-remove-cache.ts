import { type Call, method, RpcError, t } from "@plinth/core";
import { getNumber, skippableBlock } from "../block-params.js";
import type { OpenCache } from "../open-cache.js";

const IN_USE =
  "The log bloom cache is being generated: remove it when admin_generateLogBloomCache returns indexing false";

/** `admin_logsRemoveCache`: removes the cache files of some blocks, or of all. */
export const logsRemoveCache = (opened: OpenCache) =>
  method({
    summary: "Removes the log bloom cache of some blocks, or all of it.",
    params: { fromBlock: skippableBlock, toBlock: skippableBlock },
    result: t.object({ Status: t.text }),
    example: { params: ["0x0", "0x10000"], result: { Status: "Cache Removed" } },
    handle({ fromBlock, toBlock }, { chain: { blocks }, compatibility: { mode } }: Call) {
      const { cache, generation } = opened.parts;
      const from = getNumber(blocks, fromBlock ?? "earliest");
      const isOne = fromBlock !== undefined && toBlock === undefined;
      const to = isOne ? from : getNumber(blocks, toBlock ?? "latest");
      if (to < from) throw RpcError.invalidParams("Invalid block number params");
      // A run would recreate some of them; Besu does not report that.
      if (generation.status.isRunning && mode !== "besu") throw new RpcError(-32000, IN_USE);
      if (!generation.status.isRunning) {
        const last = cache.segmentOf(to);
        for (let segment = cache.segmentOf(from); segment <= last; segment++) cache.remove(segment);
      }
      return { Status: "Cache Removed" };
    },
  });
