import { accountAt } from "./account-at.js";
import { accountRange } from "./account-range.js";
import { batchSendRawTransaction } from "./batch-send-raw-transaction.js";
import { getBadBlocks } from "./get-bad-blocks.js";
import { getRawBlock } from "./get-raw-block.js";
import { getRawHeader } from "./get-raw-header.js";
import { getRawReceipts } from "./get-raw-receipts.js";
import { getRawTransaction } from "./get-raw-transaction.js";
import { intermediateRoots } from "./intermediate-roots.js";
import { metrics } from "./metrics.js";
import { replayBlock } from "./replay-block.js";
import { resyncWorldState } from "./resync-world-state.js";
import { setHead } from "./set-head.js";
import { standardTraceBadBlockToFile } from "./standard-trace-bad-block-to-file.js";
import { standardTraceBlockToFile } from "./standard-trace-block-to-file.js";
import { storageRangeAt } from "./storage-range-at.js";
import { traceBlock } from "./trace-block.js";
import { traceBlockByHash } from "./trace-block-by-hash.js";
import { traceBlockByNumber } from "./trace-block-by-number.js";
import { traceCall } from "./trace-call.js";
import { traceCallMany } from "./trace-call-many.js";
import { traceTransaction } from "./trace-transaction.js";

/** The methods of the namespace by name. */
export const methods = {
  accountAt,
  accountRange,
  batchSendRawTransaction,
  getBadBlocks,
  getRawBlock,
  getRawHeader,
  getRawReceipts,
  getRawTransaction,
  intermediateRoots,
  metrics,
  replayBlock,
  resyncWorldState,
  // Both spellings are in use.
  resyncWorldstate: resyncWorldState,
  setHead,
  standardTraceBadBlockToFile,
  standardTraceBlockToFile,
  storageRangeAt,
  traceBlock,
  traceBlockByHash,
  traceBlockByNumber,
  traceCall,
  traceCallMany,
  traceTransaction,
};
