import type { Hash, SealedBlock } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { type FetchedBlock, fetchMarked } from "./fetch-marked.js";
import { type Marker, markersOf } from "./marker.js";
import type { PrivateStore } from "./private-store.js";
import { isRunAgain, type Rerun, withGroups } from "./rerun.js";

/** What a block has for this node. */
export interface FoundInBlock extends FetchedBlock {
  /** Markers whose private transactions have run before and are not there any more. */
  readonly gone: readonly Hash[];
  /** Groups that turned out to lack something in this block. */
  readonly late: readonly Uint8Array[];
  /** What is run again, with those groups. */
  readonly rerun: Rerun | undefined;
}

/**
 * Asks the manager about the markers of a block that have not run, or that are run again.
 *
 * A block that was searched before may now have something for a group that has gone on since then: everything of that
 * group is run again, from this block on.
 */
export async function searchBlock(
  block: SealedBlock,
  on: {
    readonly store: Pick<PrivateStore, "findReceipt">;
    readonly enclave: Parameters<typeof fetchMarked>[0];
    /** Only where the block was searched before. */
    readonly rerun: Rerun | undefined;
  },
): Promise<FoundInBlock> {
  const { number } = block.header;
  let { rerun } = on;
  const late = new Map<string, Uint8Array>();
  for (;;) {
    const { markers, outdated } = selectMarkers(block, on.store, rerun);
    const fetched = await fetchMarked(on.enclave, markers);
    const lacking = findLate(fetched, number, rerun);
    if (rerun === undefined || lacking.length === 0) {
      const found = new Set(fetched.found.map(({ marker }) => marker));
      const gone = outdated.filter((marker) => !found.has(marker));
      return { ...fetched, gone, late: [...late.values()], rerun };
    }
    for (const group of lacking) late.set(toBase64(group), group);
    rerun = withGroups(rerun, [...late.values()], number);
  }
}

function findLate(
  { found }: FetchedBlock,
  number: bigint,
  rerun: Rerun | undefined,
): readonly Uint8Array[] {
  if (rerun === undefined) return [];
  return found.map(({ group }) => group).filter((group) => !isRunAgain(rerun, group, number));
}

function selectMarkers(
  block: SealedBlock,
  store: Pick<PrivateStore, "findReceipt">,
  rerun: Rerun | undefined,
): { readonly markers: readonly Marker[]; readonly outdated: readonly Hash[] } {
  const { number, hash: blockHash } = block.header;
  const outdated: Hash[] = [];
  const markers = markersOf(block).filter(({ hash }) => {
    const receipt = store.findReceipt(blockHash, hash);
    if (receipt === undefined) return true;
    const isAgain = rerun !== undefined && isRunAgain(rerun, receipt.group, number);
    if (isAgain) outdated.push(hash);
    return isAgain;
  });
  return { markers, outdated };
}
