import type { SealedBlock } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import type { OutdatedReceipt, PrivateStore } from "../store/private-store.js";
import { isRunAgain, type Rerun, withGroups } from "../store/rerun.js";
import { fetchMarked, type MarkedTransaction, type UnresolvedInBlock } from "./fetch-marked.js";
import type { Marker } from "./marker.js";
import type { AskedManager, MarkerForm } from "./marker-form.js";

/** Dependencies of `searchBlock`. */
export interface SearchSettings {
  readonly store: Pick<PrivateStore, "findReceipt">;
  readonly enclave: AskedManager;
  readonly form: MarkerForm;
  /** Only if the block was searched before. */
  readonly rerun: Rerun | undefined;
  /** Once payloads exceed this size, they are persisted before others are requested. */
  readonly partBytes: number;
  /** Persists a part of the result. */
  readonly keep: (items: readonly MarkedTransaction[]) => Promise<void>;
}

/** A private transaction of a block, without its payload. */
export type PlacedTransaction = Pick<MarkedTransaction, "marker" | "index" | "group">;

/** The content of a block for this node. */
export interface FoundInBlock {
  /** Its private transactions, in order. */
  readonly found: readonly PlacedTransaction[];
  /** The last part, not persisted yet. */
  readonly rest: readonly MarkedTransaction[];
  readonly unresolved: readonly UnresolvedInBlock[];
  readonly outdated: readonly OutdatedReceipt[];
  /** Groups that turned out to lack a transaction of this block. */
  readonly late: readonly Uint8Array[];
  /** What to re-execute, including those groups. */
  readonly rerun: Rerun | undefined;
}

/**
 * Queries the manager for the markers of a block that have not run, or that are re-executed.
 *
 * Transactions of a block that left the chain and is back are re-executed: their predecessors may have changed since.
 * A block that was searched before may now contain a transaction for a group that has progressed since then: the whole
 * group is re-executed from this block on.
 * Payloads may be long and many: they are persisted in parts, and only the last part is returned.
 */
export async function searchBlock(block: SealedBlock, on: SearchSettings): Promise<FoundInBlock> {
  const { number } = block.header;
  let { rerun } = on;
  const late = new Map<string, Uint8Array>();
  for (;;) {
    const { markers, outdated } = selectMarkers(block, on, rerun);
    const fetched = await fetchAll(markers, on);
    const lacking = findLate(fetched, number, rerun);
    if (rerun === undefined || lacking.length === 0) {
      return { ...fetched, outdated, late: [...late.values()], rerun };
    }
    for (const group of lacking) late.set(toBase64(group), group);
    rerun = withGroups(rerun, [...late.values()], number);
  }
}

async function fetchAll(
  markers: readonly Marker[],
  { enclave, form, partBytes, keep }: SearchSettings,
): Promise<Pick<FoundInBlock, "found" | "rest" | "unresolved">> {
  const found: PlacedTransaction[] = [];
  const unresolved: UnresolvedInBlock[] = [];
  let rest: readonly MarkedTransaction[] = [];
  for await (const part of fetchMarked(enclave, markers, form, partBytes)) {
    if (part.isLast) rest = part.found;
    else await keep(part.found);
    for (const { marker, index, group } of part.found) found.push({ marker, index, group });
    unresolved.push(...part.unresolved);
  }
  return { found, rest, unresolved };
}

function findLate(
  { found }: Pick<FoundInBlock, "found">,
  number: bigint,
  rerun: Rerun | undefined,
): readonly Uint8Array[] {
  if (rerun === undefined) return [];
  return found.map(({ group }) => group).filter((group) => !isRunAgain(rerun, group, number));
}

function selectMarkers(
  block: SealedBlock,
  { store, form }: { readonly store: Pick<PrivateStore, "findReceipt">; readonly form: MarkerForm },
  rerun: Rerun | undefined,
): Pick<FoundInBlock, "outdated"> & { readonly markers: readonly Marker[] } {
  const { number, hash: blockHash } = block.header;
  const outdated: OutdatedReceipt[] = [];
  const markers = form.markersOf(block).filter(({ hash: marker }) => {
    const receipt = store.findReceipt(blockHash, marker);
    if (receipt === undefined) return true;
    const isAgain = rerun === undefined || isRunAgain(rerun, receipt.group, number);
    if (isAgain) outdated.push({ marker, receipt });
    return isAgain;
  });
  return { markers, outdated };
}
