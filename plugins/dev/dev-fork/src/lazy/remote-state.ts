import { setTimeout } from "node:timers/promises";
import { type Codec, DecodeError, type Logger, messageOf, t } from "@plinth/core";
import { mapConcurrent } from "@plinth/core/async";
import {
  type FetchedValues,
  type MissingRun,
  type MissingValue,
  type StateOrigin,
  StateUnavailable,
} from "@plinth/core/chain";
import type { FetchedCache } from "../cache/block-cache.js";
import type { ForkRecord } from "../fork-record.js";
import { decodeSent } from "../remote/read-chain.js";
import type { Remote, RemoteCall } from "../remote/remote.js";
import { ValueLister } from "./list-values.js";
import { withNext } from "./read-ahead.js";

/** The inputs of a remote state. */
export interface RemoteStateSettings {
  /** `undefined` without `--fork-url`. */
  readonly remote: Remote | undefined;
  openCache(record: ForkRecord): FetchedCache;
  readonly log: Pick<Logger, "debug">;
  getRecord(): ForkRecord;
}

/** Calls of one request; nodes limit the calls of a batch, few to less than this. */
const CALLS_AT_ONCE = 100;
const CONCURRENCY = 16;
const MAX_DELIVERED = 10_000;
/** How long a call waits for values that it only may need. */
const MAX_PREFETCH_MS = 5_000;

/** Fetches values of the block of a fork from the node that was forked. */
export class RemoteState implements StateOrigin {
  readonly #settings: RemoteStateSettings;
  #lister: ValueLister | undefined;
  #opened: FetchedCache | undefined;
  /** Values that the chain has by now, the latest ones. */
  readonly #delivered = new Set<string>();

  constructor(settings: RemoteStateSettings) {
    this.#settings = settings;
  }

  /** The missing values, and before a call or transaction what the node lists for it. */
  async fetch({ values, run }: { values: readonly MissingValue[]; run?: MissingRun | undefined }) {
    const cache = this.#cache();
    try {
      const wanted = withNext(values);
      const known = await cache.find(wanted);
      const isComplete = without(values, known).length === 0;
      const [fetched, likely] = await Promise.all([
        isComplete ? NOTHING : this.#read(without(wanted, known)),
        run === undefined || isComplete ? NOTHING : withinTime(this.#prefetch(run, values)),
      ]);
      const all = join(fetched, likely);
      await cache.add(all);
      for (const value of [...all.accounts, ...all.slots]) this.#noteDelivered(value);
      return join(known, all);
    } catch (error) {
      throw new StateUnavailable(values, this.#explain(error), error);
    }
  }

  /** Rejects unless the node delivers values of the block. */
  async verify(): Promise<void> {
    await this.#read([{ address: `0x${"00".repeat(20)}` }]);
  }

  /** What a call is likely to read; nothing if that cannot be found out. */
  async #prefetch(run: MissingRun, values: readonly MissingValue[]): Promise<FetchedValues> {
    const { log } = this.#settings;
    const cache = this.#cache();
    try {
      this.#lister ??= new ValueLister(this.#remote(), this.#settings.getRecord().number);
      const listed = new Map<string, MissingValue>();
      for (const value of await this.#lister.list(run)) listed.set(keyOf(value), value);
      for (const key of [...values.map(keyOf), ...this.#delivered]) listed.delete(key);
      const known = await cache.find([...listed.values()]);
      const fetched = await this.#read(without([...listed.values()], known));
      return join(known, fetched);
    } catch (error) {
      log.debug(`the values of a call could not be prefetched: ${messageOf(error)}`);
      return NOTHING;
    }
  }

  async #read(values: readonly MissingValue[]): Promise<FetchedValues> {
    const remote = this.#remote();
    // A number may be another block, after a reorganization or at another node of a provider.
    const block = { blockHash: this.#settings.getRecord().hash };
    const calls = values.flatMap(({ address, slot }): readonly RemoteCall[] =>
      slot === undefined
        ? ACCOUNT.map((method) => ({ method, params: [address, block] }))
        : [{ method: "eth_getStorageAt", params: [address, slot, block] }],
    );
    const pieces: (readonly RemoteCall[])[] = [];
    for (let start = 0; start < calls.length; start += CALLS_AT_ONCE) {
      pieces.push(calls.slice(start, start + CALLS_AT_ONCE));
    }
    const sent = mapConcurrent(pieces, (piece) => remote.callAll(piece), {
      concurrency: CONCURRENCY,
    });
    const results: unknown[] = [];
    for await (const some of sent) results.push(...some);
    let at = 0;
    const accounts: FetchedValues["accounts"][number][] = [];
    const slots: FetchedValues["slots"][number][] = [];
    for (const { address, slot } of values) {
      if (slot === undefined) {
        const balance = decodeSent(remote, t.quantity, "balance", results[at++]);
        const nonce = decodeSent(remote, t.quantity, "nonce", results[at++]);
        const code = decodeSent(remote, t.data, "code", results[at++]);
        const exists = balance > 0n || nonce > 0n || code.length > 0;
        accounts.push({ address, account: exists ? { balance, nonce, code } : undefined });
      } else {
        const value = decodeSent(remote, word, "value of a slot", results[at++]);
        slots.push({ address, slot, value });
      }
    }
    return { accounts, slots };
  }

  #noteDelivered(value: MissingValue): void {
    if (this.#delivered.size >= MAX_DELIVERED) this.#delivered.clear();
    this.#delivered.add(keyOf(value));
  }

  #cache(): FetchedCache {
    this.#opened ??= this.#settings.openCache(this.#settings.getRecord());
    return this.#opened;
  }

  #remote(): Remote {
    const { remote, getRecord } = this.#settings;
    if (remote !== undefined) return remote;
    throw new Error(`it was not read from ${getRecord().source} yet: --fork-url names the node`);
  }

  #explain(error: unknown): string {
    const { number, source } = this.#settings.getRecord();
    return `values of block ${number} are read from the node that was forked, ${source}: ${messageOf(error)}`;
  }
}

/** Up to 32 bytes in hex; some nodes omit leading zeros. */
const word: Pick<Codec<bigint>, "decode"> = {
  decode(json, path = "") {
    if (typeof json === "string" && /^0x[0-9a-f]{0,64}$/i.test(json)) {
      return BigInt(`0x0${json.slice(2)}`);
    }
    throw new DecodeError(path, "up to 32 bytes of hex");
  },
};

const ACCOUNT = ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"];
const NOTHING: FetchedValues = { accounts: [], slots: [] };

/** Nothing, if it takes too long: values that are needed are read anyway. */
async function withinTime(likely: Promise<FetchedValues>): Promise<FetchedValues> {
  const waiting = new AbortController();
  const late = setTimeout(MAX_PREFETCH_MS, NOTHING, { signal: waiting.signal }).catch(
    () => NOTHING,
  );
  try {
    return await Promise.race([likely, late]);
  } finally {
    waiting.abort();
  }
}

function keyOf({ address, slot }: MissingValue): string {
  return `${address} ${slot ?? ""}`;
}

function without(
  values: readonly MissingValue[],
  { accounts, slots }: FetchedValues,
): readonly MissingValue[] {
  const known = new Set([...accounts, ...slots].map(keyOf));
  return values.filter((value) => !known.has(keyOf(value)));
}

function join(one: FetchedValues, other: FetchedValues): FetchedValues {
  return {
    accounts: [...one.accounts, ...other.accounts],
    slots: [...one.slots, ...other.slots],
  };
}
