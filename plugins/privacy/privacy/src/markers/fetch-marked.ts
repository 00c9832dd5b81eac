import { toBase64 } from "@plinth/kit-enclave";
import { fetchHistory } from "../flexible/fetch-flexible.js";
import type { StoredItem } from "../store/records.js";
import { type Fetched, type FoundTransaction, unlessRefused } from "./find-private-transaction.js";
import type { Marker } from "./marker.js";
import type { AskedManager, MarkerForm } from "./marker-form.js";
import { PART_BYTES } from "./part-bytes.js";
import type { UnknownGroup } from "./unresolved.js";

/** Maximum number of payloads requested at a time: each may be as long as its manager allows. */
const AT_ONCE = 4;

/** A private transaction of a block, with the marker that names it. */
export interface MarkedTransaction extends StoredItem {
  /** As stored by the manager. */
  readonly group: Uint8Array;
  /** Transaction index of the marker in the block. */
  readonly index: number;
}

/** A marker without a local payload, or of a group unknown to the manager. */
export type UnresolvedInBlock = Marker & { readonly unknownGroup?: UnknownGroup };

/** The private transactions of some markers of a block, in order. */
export interface FetchedPart {
  readonly found: readonly MarkedTransaction[];
  readonly unresolved: readonly UnresolvedInBlock[];
  /** Whether this is the last part. */
  readonly isLast: boolean;
}

/**
 * Fetches, in parts, the private transactions behind the markers of a block in which this node participates.
 *
 * Anyone can put markers on the chain and name one payload as often as the block allows: it is requested once, and
 * only the payloads of one part are held in memory.
 */
export async function* fetchMarked(
  enclave: AskedManager,
  markers: readonly Marker[],
  form: MarkerForm,
  partBytes: number = PART_BYTES,
): AsyncGenerator<FetchedPart> {
  const payloads = new Payloads(enclave, form);
  let found: MarkedTransaction[] = [];
  let unresolved: UnresolvedInBlock[] = [];
  let bytes = 0;
  for (let from = 0; from < markers.length; from += AT_ONCE) {
    const some = markers.slice(from, from + AT_ONCE);
    const fetched = await payloads.fetch(some);
    for (const marker of some) {
      const answer = await payloads.take(marker, fetched);
      if (answer.kind === "found") {
        found.push(answer.item);
        bytes += bytesOf(answer.item);
      } else if (answer.kind === "unknown group") {
        unresolved.push({ ...marker, unknownGroup: answer.unknownGroup });
      } else if (answer.kind === "absent") unresolved.push(marker);
    }
    const isLast = from + AT_ONCE >= markers.length;
    if (bytes < partBytes && !isLast) continue;
    yield { found, unresolved, isLast };
    [found, unresolved, bytes] = [[], [], 0];
  }
}

type NotFound = Exclude<Fetched, { kind: "found" }>;

/** A fetched private transaction without its payload. */
interface KeptTransaction {
  readonly kind: "kept";
  readonly group: Uint8Array;
  readonly transaction: Pick<FoundTransaction["transaction"], "to" | "data" | "privateFrom">;
  /** Transaction index of the marker that holds its payload. */
  readonly at: number;
}

/** The payloads of a block; each belongs to the first marker that names it. */
class Payloads {
  readonly #enclave: AskedManager;
  readonly #form: MarkerForm;
  readonly #known = new Map<string, KeptTransaction | NotFound>();
  /** Transaction indices of the markers that hold histories; `undefined` for ignored histories. */
  readonly #histories = new Map<string, number | undefined>();

  constructor(enclave: AskedManager, form: MarkerForm) {
    this.#enclave = enclave;
    this.#form = form;
  }

  /** Requests from the manager the payloads of markers that were not requested before, by key. */
  async fetch(markers: readonly Marker[]): Promise<ReadonlyMap<string, Fetched>> {
    const keys = new Map(markers.map(({ payloadKey }) => [toBase64(payloadKey), payloadKey]));
    const asked = [...keys].filter(([name]) => !this.#known.has(name));
    const answers = asked.map(
      async ([name, key]) => [name, await this.#form.fetch(this.#enclave, key)] as const,
    );
    return new Map(await Promise.all(answers));
  }

  async take(
    { hash: marker, index, payloadKey, historyKey }: Marker,
    fetched: ReadonlyMap<string, Fetched>,
  ): Promise<{ readonly kind: "found"; readonly item: MarkedTransaction } | NotFound> {
    const name = toBase64(payloadKey);
    const known = this.#known.get(name) ?? this.#note(name, fetched.get(name), index);
    if (known.kind !== "kept") return known;
    const { group, at } = known;
    const answer = fetched.get(name);
    const payload = at === index && answer?.kind === "found" ? answer.found.payload : at;
    const item = { marker, index, group, payload };
    const history = historyKey && (await this.#takeHistory(historyKey, known, index));
    return { kind: "found", item: history === undefined ? item : { ...item, history } };
  }

  #note(name: string, fetched: Fetched | undefined, index: number): KeptTransaction | NotFound {
    if (fetched === undefined) throw new Error(`${name} was not requested from the manager`);
    const known = fetched.kind === "found" ? keptOf(fetched.found, index) : fetched;
    this.#known.set(name, known);
    return known;
  }

  async #takeHistory(
    key: Uint8Array,
    { group, transaction }: KeptTransaction,
    index: number,
  ): Promise<MarkedTransaction["history"]> {
    // It belongs to a marker of the same group, and only to its sender.
    const name = [key, group, transaction.privateFrom].map(toBase64).join();
    const at = this.#histories.get(name);
    if (at !== undefined) return { key, payload: at };
    if (this.#histories.has(name)) return undefined;
    const receive = () => unlessRefused(() => this.#enclave.receive(key, undefined));
    const history = await fetchHistory(key, { transaction }, receive);
    this.#histories.set(name, history && index);
    return history;
  }
}

const SELECTOR_BYTES = 4;

function keptOf({ group, transaction }: FoundTransaction, at: number): KeptTransaction {
  const { to, data, privateFrom } = transaction;
  const called = { to, data: data.slice(0, SELECTOR_BYTES), privateFrom };
  return { kind: "kept", group, transaction: called, at };
}

/** Bytes of the payloads it holds. */
function bytesOf({ payload, history }: MarkedTransaction): number {
  return [payload, history?.payload].reduce<number>(
    (sum, kept) => sum + (kept instanceof Uint8Array ? kept.length : 0),
    0,
  );
}
