import { type Block, InvalidBlock, type Receipt } from "@plinth/core";
import { bloomOfLogs, receiptsRoot } from "@plinth/core/blocks";
import { type Bloom, createBloom, mergeIntoBloom } from "@plinth/core/primitives";
import type { StateUpdate } from "../state/state-root.js";
import { blobGasOf } from "./blob-gas.js";
import type { Execution } from "./execute-block.js";

/** The result of an execution as another node reports it; requests are those of the header, since nothing else has them. */
export function reportedExecution(
  block: Block,
  receipts: readonly Receipt[],
  state: StateUpdate,
): Execution {
  return {
    receipts,
    results: [],
    receiptsRoot: receiptsRoot(receipts),
    gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? 0n,
    blobGasUsed: block.body.transactions.reduce((sum, each) => sum + blobGasOf(each), 0n),
    logsBloom: mergeBlooms(block, receipts),
    requests: [],
    requestsHash: block.header.requestsHash,
    state,
  };
}

/** The bloom of all logs; throws `InvalidBlock` unless there is a receipt for each transaction, which fits it. */
function mergeBlooms({ header, body }: Block, receipts: readonly Receipt[]): Bloom {
  const { transactions } = body;
  const invalid = (problem: string) =>
    new InvalidBlock("reported-receipts", `block ${header.number}: ${problem}`);
  if (receipts.length !== transactions.length) {
    throw invalid(`${receipts.length} receipts for ${transactions.length} transactions`);
  }
  const merged = createBloom();
  for (const [index, { type, logs, logsBloom }] of receipts.entries()) {
    if (type !== transactions[index]?.type) {
      throw invalid(`receipt ${index} has the type ${type}, not that of its transaction`);
    }
    const bloom = bloomOfLogs(logs);
    if (Buffer.compare(bloom, logsBloom) !== 0) {
      throw invalid(`the bloom of receipt ${index} is not that of its logs`);
    }
    mergeIntoBloom(merged, bloom);
  }
  return merged;
}
