import type { Address, BlockReader, SealedBlock } from "@plinth/core";
import { type FlatTrace, Pace } from "@plinth/kit-trace";
import { rewardTraces } from "./parts/reward-traces.js";
import type { TraceQuery } from "./trace-query.js";
import { type Caller, isTraceable, tracesOfBlock } from "./traced-block.js";

/** The range of blocks to search, inclusive. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

type Criteria = Pick<TraceQuery, "fromAddress" | "toAddress" | "after" | "count">;

/** The matching traces of a range of blocks, as they are found. */
export async function* findTraces(
  blocks: BlockReader,
  { from, to }: BlockRange,
  criteria: Criteria,
  caller: Caller,
): AsyncGenerator<readonly FlatTrace[], undefined> {
  const { after, count = Number.POSITIVE_INFINITY } = criteria;
  const isWanted = matcher(criteria);
  const pace = new Pace(caller.client.closed);
  const end = after + count;
  const last = to < blocks.head().number ? to : blocks.head().number;
  let matched = 0;
  for (let number = from > 0n ? from : 1n; number <= last && matched < end; number++) {
    const block = findBlock(blocks, number);
    if (block === undefined || !isTraceable(blocks, block)) continue;
    for await (const traces of allTraces(blocks, block, caller)) {
      const found = traces.filter(isWanted);
      yield found.slice(Math.max(0, after - matched), Math.max(0, end - matched));
      matched += found.length;
      if (matched >= end) break;
    }
    await pace.rest();
  }
}

async function* allTraces(
  blocks: BlockReader,
  block: SealedBlock,
  caller: Caller,
): AsyncGenerator<readonly FlatTrace[], undefined> {
  yield* tracesOfBlock(blocks, block, caller);
  yield rewardTraces(blocks, block);
}

function findBlock(blocks: BlockReader, number: bigint): SealedBlock | undefined {
  const header = blocks.findHeader(number);
  return header && blocks.findBlock(header.hash);
}

/** A filter by address excludes traces without one: rewards have none, and creations have no recipient. */
function matcher({ fromAddress, toAddress }: Criteria): (trace: FlatTrace) => boolean {
  const isOneOf = (addresses: readonly Address[]) => {
    const wanted = new Set(addresses);
    return (address?: Address) =>
      wanted.size === 0 || (address !== undefined && wanted.has(address));
  };
  const [isFrom, isTo] = [isOneOf(fromAddress), isOneOf(toAddress)];
  return ({ action }) =>
    isFrom("from" in action ? action.from : undefined) &&
    isTo("to" in action ? action.to : undefined);
}
