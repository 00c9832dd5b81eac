import { type BlockNumberOrTag, type Call, method, t, toQuantity } from "@plinth/core";
import type { GenerationRange } from "../generation.js";
import type { OpenCache } from "../open-cache.js";

/** `admin_generateLogBloomCache`: writes cache files, or reports the progress. */
export const generateLogBloomCache = (opened: OpenCache) =>
  method({
    summary: "Writes the log bloom cache of some blocks; without blocks, reports the progress.",
    params: { startBlock: t.optional(t.blockNumber), stopBlock: t.optional(t.blockNumber) },
    result: t.json,
    example: {
      params: ["0x0", "0x10000"],
      result: {
        startBlock: "0x0",
        endBlock: "0x10000",
        currentBlock: "0x0",
        indexing: true,
        caching: true,
        requestAccepted: true,
      },
    },
    handle({ startBlock, stopBlock }, { tasks }: Call) {
      const { generation } = opened.parts;
      const range = rangeOf(startBlock, stopBlock);
      const requestAccepted = range !== undefined && generation.begin(range, tasks);
      const { start, end, current, isRunning } = generation.status;
      return {
        startBlock: toQuantity(start),
        endBlock: end === "latest" ? end : toQuantity(end),
        currentBlock: toQuantity(current),
        indexing: isRunning,
        caching: isRunning,
        requestAccepted,
      };
    },
  });

/** A range whose start depends on the end of the chain writes nothing. */
function rangeOf(
  from: BlockNumberOrTag | undefined,
  to: BlockNumberOrTag | undefined,
): GenerationRange | undefined {
  const start = numberOf(from);
  if (start === undefined || start < 0n) return undefined;
  return { start, end: numberOf(to) ?? "latest" };
}

function numberOf(block: BlockNumberOrTag | undefined): bigint | undefined {
  if (block === "earliest") return 0n;
  return typeof block === "bigint" ? block : undefined;
}
