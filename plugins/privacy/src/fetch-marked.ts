import { toBase64 } from "@plinth/kit-enclave";
import {
  type Fetched,
  type FoundTransaction,
  fetchForExecution,
} from "./find-private-transaction.js";
import type { Marker } from "./marker.js";
import type { UnknownGroup } from "./unresolved.js";

/** Payloads that are asked for at a time. */
const AT_ONCE = 16;

/** A private transaction of a block, with the marker that names it. */
export interface MarkedTransaction extends FoundTransaction {
  readonly marker: Marker["hash"];
  /** The place of the marker in the block. */
  readonly index: number;
}

/** What a manager has for the markers of a block, in order. */
export interface FetchedBlock {
  readonly found: readonly MarkedTransaction[];
  /** Markers without a payload here, and those of groups that the manager does not know. */
  readonly unresolved: readonly (Marker & { readonly unknownGroup?: UnknownGroup })[];
}

/**
 * Fetches the private transactions behind the markers of a block that this node takes part in.
 *
 * Anyone can name a payload again, as often as there is room in the block: it is asked for once.
 */
export async function fetchMarked(
  enclave: Parameters<typeof fetchForExecution>[0],
  markers: readonly Marker[],
): Promise<FetchedBlock> {
  const payloads = new Map<string, Promise<Fetched>>();
  const fetchOnce = (payloadKey: Uint8Array) => {
    const name = toBase64(payloadKey);
    const fetching = payloads.get(name) ?? fetchForExecution(enclave, payloadKey);
    payloads.set(name, fetching);
    return fetching;
  };
  const found: MarkedTransaction[] = [];
  const unresolved: FetchedBlock["unresolved"][number][] = [];
  for (let from = 0; from < markers.length; from += AT_ONCE) {
    const part = markers.slice(from, from + AT_ONCE);
    const answers = await Promise.all(part.map(({ payloadKey }) => fetchOnce(payloadKey)));
    for (const [at, marker] of part.entries()) {
      const fetched = answers[at];
      if (fetched?.kind === "found") {
        found.push({ ...fetched.found, marker: marker.hash, index: marker.index });
      } else if (fetched?.kind === "unknown group") {
        unresolved.push({ ...marker, unknownGroup: fetched.unknownGroup });
      } else if (fetched?.kind === "absent") {
        unresolved.push(marker);
      }
    }
  }
  return { found, unresolved };
}
