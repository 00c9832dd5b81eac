import { type Address, type Hash, t, toHex, toQuantity } from "@plinth/core";
import type { MissingRun, MissingValue } from "@plinth/core/chain";
import { isUnsupported } from "../remote/refusals.js";
import type { Remote } from "../remote/remote.js";

/** More values than this are not prefetched for one call. */
const MAX_VALUES = 10_000;

const traced = t.record(t.object({ storage: t.optional(t.record(t.json)) }));
const listed = t.object({
  accessList: t.array(t.object({ address: t.address, storageKeys: t.array(t.hash) })),
});

/** A way to learn which values a call reads. */
interface Listing {
  readonly method: string;
  params(call: object, block: string): readonly unknown[];
  decode(json: unknown): readonly MissingValue[];
}

const LISTINGS: readonly Listing[] = [
  {
    method: "debug_traceCall",
    params: (call, block) => [call, block, { tracer: "prestateTracer" }],
    decode: (json) =>
      Object.entries(traced.decode(json)).flatMap(([name, { storage = {} }]) =>
        valuesOf(
          t.address.decode(name),
          Object.keys(storage).map((slot) => t.hash.decode(slot)),
        ),
      ),
  },
  {
    method: "eth_createAccessList",
    params: (call, block) => [call, block],
    decode: (json) =>
      listed
        .decode(json)
        .accessList.flatMap(({ address, storageKeys }) => valuesOf(address, storageKeys)),
  },
];

/**
 * Asks a node which values a call reads, by the best method that it has.
 *
 * The list is a hint: values themselves are not taken from it, and a call that reads others fetches them.
 */
export class ValueLister {
  readonly #remote: Remote;
  readonly #block: string;
  /** The methods that the node may have; the first one is used. */
  #listings = LISTINGS;

  constructor(remote: Remote, number: bigint) {
    this.#remote = remote;
    this.#block = toQuantity(number);
  }

  /** The values; none if the node has no such method. Rejects if this call cannot be listed. */
  async list({ from, to, data, value }: MissingRun): Promise<readonly MissingValue[]> {
    const call = {
      from,
      ...(to === undefined ? {} : { to }),
      data: toHex(data),
      ...(value === 0n ? {} : { value: toQuantity(value) }),
    };
    for (;;) {
      const [listing] = this.#listings;
      if (listing === undefined) return [];
      try {
        const json = await this.#remote.call(listing.method, listing.params(call, this.#block));
        return listing.decode(json).slice(0, MAX_VALUES);
      } catch (error) {
        if (!isUnsupported(error)) throw error;
        this.#listings = this.#listings.filter((other) => other !== listing);
      }
    }
  }
}

function valuesOf(address: Address, slots: readonly Hash[]): readonly MissingValue[] {
  return [{ address }, ...slots.map((slot) => ({ address, slot }))];
}
