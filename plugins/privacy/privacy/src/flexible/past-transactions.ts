import type { BlockReader, Hash, SealedHeader } from "@plinth/core";
import type { EnclaveClient } from "@plinth/kit-enclave";
import { unlessRefused } from "../markers/find-private-transaction.js";
import { flexibleKeysOf } from "../markers/marker.js";
import type { PrivateStore } from "../store/private-store.js";
import type { PrivateTransaction } from "../transaction/private-transaction.js";
import { encodeHistory, type PastTransaction, readHistory } from "./history.js";
import { decodeVersionedTransaction, type VersionedTransaction } from "./versioned-transaction.js";

/** Maximum number of payloads requested at a time. */
const AT_ONCE = 16;

/** Dependencies of `PastTransactions`. */
export interface PastSettings {
  readonly store: Pick<
    PrivateStore,
    "findGroupBlock" | "findHistoryKey" | "groupBlocks" | "groups"
  >;
  readonly enclave: () => EnclaveClient;
  readonly blocks: Pick<BlockReader, "findBlock" | "findTransaction">;
}

/** A past transaction of a group, without its context. */
type Written = Pick<PastTransaction, "encoded" | "marker" | "root">;

/**
 * The transactions that flexible groups have executed, including those before this node was a
 * member, which come from the history it received.
 */
export class PastTransactions {
  readonly #settings: PastSettings;

  constructor(settings: PastSettings) {
    this.#settings = settings;
  }

  /**
   * All transactions of a group up to a block, for the members being added; `undefined` if there are none.
   *
   * Rejects if the manager lacks some of them. The sender is a member, but another key of the manager may have received them.
   */
  async write(group: Uint8Array, header: SealedHeader): Promise<Uint8Array | undefined> {
    const { store } = this.#settings;
    const ran: { readonly marker: Hash; readonly root: Hash }[] = [];
    const range = { from: 0n, to: header.number };
    for await (const { markers, roots = [] } of store.groupBlocks(group, range)) {
      for (const [at, marker] of markers.entries()) {
        ran.push({ marker, root: roots[at] as Hash });
      }
    }
    if (ran.length === 0) return undefined;
    const taken = await this.#taken(group, undefined);
    const past: Written[] = [];
    for (let from = 0; from < ran.length; from += AT_ONCE) {
      const part = ran.slice(from, from + AT_ONCE).map(async ({ marker, root }) => {
        const encoded = taken.get(marker)?.encoded ?? (await this.#receive(marker)).encoded;
        return { encoded, marker, root };
      });
      past.push(...(await Promise.all(part)));
    }
    return encodeHistory(past);
  }

  /**
   * The transactions of a group that came with a history, by marker; for one key, or for any key of
   * the manager.
   */
  async ofHistory(
    group: Uint8Array,
    key: string | undefined,
  ): Promise<ReadonlyMap<Hash, PastTransaction>> {
    return this.#taken(group, key);
  }

  /** The transaction behind a marker that came with the history of its group, for a key. */
  async find(
    marker: Hash,
    { number, hash }: SealedHeader,
    key: string,
  ): Promise<PastTransaction | undefined> {
    const { store } = this.#settings;
    for (const group of await store.groups()) {
      const place = { group, number, blockHash: hash };
      if (store.findHistoryKey(group) === undefined) continue;
      if (store.findGroupBlock(place)?.markers.includes(marker) !== true) continue;
      // Several histories may claim it, not all of them for this key.
      const found = (await this.#taken(group, key)).get(marker);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Same for a tenant: other tenants of this node may have received or executed it before this one
   * was a member of its group.
   */
  async findForTenant(
    marker: Hash,
    { number, hash }: SealedHeader,
    isMember: (group: Uint8Array) => Promise<boolean>,
  ): Promise<PrivateTransaction | undefined> {
    const { store } = this.#settings;
    for (const group of await store.groups()) {
      const place = { group, number, blockHash: hash };
      if (store.findGroupBlock(place)?.markers.includes(marker) !== true) continue;
      if (!(await isMember(group))) continue;
      const past = (await this.#taken(group, undefined)).get(marker);
      return (past ?? (await this.#receive(marker))).transaction;
    }
    return undefined;
  }

  async #taken(
    group: Uint8Array,
    key: string | undefined,
  ): Promise<ReadonlyMap<Hash, PastTransaction>> {
    const { store, enclave } = this.#settings;
    const historyKey = store.findHistoryKey(group);
    const received = historyKey && (await unlessRefused(() => enclave().receive(historyKey, key)));
    const past = new Map<Hash, PastTransaction>();
    if (received === undefined) return past;
    // It was decoded when this node imported it.
    for await (const item of readHistory(received.payload)) past.set(item.marker, item);
    return past;
  }

  async #receive(marker: Hash): Promise<VersionedTransaction> {
    const { enclave, blocks } = this.#settings;
    const place = blocks.findTransaction(marker);
    const named = place && blocks.findBlock(place.blockHash)?.body.transactions[place.index];
    const keys = named && flexibleKeysOf(named);
    if (keys === undefined) throw new Error(`${marker} is not a marker of the chain`);
    const { payload } = await enclave().receive(keys.payloadKey, undefined);
    return decodeVersionedTransaction(payload);
  }
}
