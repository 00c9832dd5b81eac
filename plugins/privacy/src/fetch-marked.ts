import { toBase64 } from "@plinth/kit-enclave";
import { type Fetched, type FoundTransaction, unlessRefused } from "./find-private-transaction.js";
import { fetchHistory } from "./flexible/fetch-flexible.js";
import type { Marker } from "./marker.js";
import type { AskedManager, MarkerForm } from "./marker-form.js";
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
  enclave: AskedManager,
  markers: readonly Marker[],
  form: MarkerForm,
): Promise<FetchedBlock> {
  const fetchOnce = onceOf((key) => form.fetch(enclave, key));
  const receiveOnce = onceOf((key) => unlessRefused(() => enclave.receive(key, undefined)));
  const fetchAll = async ({ payloadKey, historyKey }: Marker): Promise<Fetched> => {
    const fetched = await fetchOnce(payloadKey);
    if (fetched.kind !== "found" || historyKey === undefined) return fetched;
    const history = await fetchHistory(historyKey, fetched.found, receiveOnce);
    return history === undefined ? fetched : { ...fetched, found: { ...fetched.found, history } };
  };
  const found: MarkedTransaction[] = [];
  const unresolved: FetchedBlock["unresolved"][number][] = [];
  for (let from = 0; from < markers.length; from += AT_ONCE) {
    const part = markers.slice(from, from + AT_ONCE);
    const answers = await Promise.all(part.map(fetchAll));
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

/** Asks for each key once. */
function onceOf<T>(ask: (key: Uint8Array) => Promise<T>): (key: Uint8Array) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (key) => {
    const name = toBase64(key);
    const asking = asked.get(name) ?? ask(key);
    asked.set(name, asking);
    return asking;
  };
}
