import { type EnclaveClient, toBase64 } from "@plinth/kit-enclave";
import { type FoundTransaction, fetchForExecution } from "./find-private-transaction.js";
import type { Marker } from "./marker.js";

/** Payloads that are asked for at a time. */
const AT_ONCE = 16;

/** A private transaction of a block, with the marker that names it. */
export interface MarkedTransaction extends FoundTransaction {
  readonly marker: Marker["hash"];
  /** The place of the marker in the block. */
  readonly index: number;
}

/**
 * Fetches the private transactions behind the markers of a block that this node takes part in, in order.
 *
 * Anyone can name a payload again, as often as there is room in the block: it is asked for once.
 */
export async function fetchMarked(
  enclave: Pick<EnclaveClient, "receive" | "retrieveGroup">,
  markers: readonly Marker[],
): Promise<readonly MarkedTransaction[]> {
  const payloads = new Map<string, ReturnType<typeof fetchForExecution>>();
  const fetchOnce = (payloadKey: Uint8Array) => {
    const name = toBase64(payloadKey);
    const fetching = payloads.get(name) ?? fetchForExecution(enclave, payloadKey);
    payloads.set(name, fetching);
    return fetching;
  };
  const found: MarkedTransaction[] = [];
  for (let from = 0; from < markers.length; from += AT_ONCE) {
    const part = markers.slice(from, from + AT_ONCE);
    const answers = await Promise.all(part.map(({ payloadKey }) => fetchOnce(payloadKey)));
    for (const [at, { hash: marker, index }] of part.entries()) {
      const fetched = answers[at];
      if (fetched !== undefined) found.push({ ...fetched, marker, index });
    }
  }
  return found;
}
