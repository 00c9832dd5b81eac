import type { BlockReader, Clock, Logger, SealedBlock, SealedHeader } from "@plinth/core";
import { messageOf } from "@plinth/core";
import { type EnclaveClient, toBase64 } from "@plinth/kit-enclave";
import { fetchForExecution } from "./find-private-transaction.js";
import { type Marker, markersOf } from "./marker.js";
import type { PendingEntry, PrivateStore } from "./private-store.js";
import { type Cursor, pendingKey } from "./records.js";

/** Payloads that are asked for at a time. */
const AT_ONCE = 16;
const RETRY_MS = 1000;
/** Blocks without markers are noted every so often. */
const BLOCKS_PER_NOTE = 1000n;

/** What the manager is asked for, and cannot say. */
export interface WaitingForManager {
  readonly since: number;
  readonly block: bigint;
  readonly reason: string;
}

/** What delivery works with. */
export interface DeliverySettings {
  readonly blocks: Pick<BlockReader, "head" | "findHeader" | "findBlock">;
  readonly store: PrivateStore;
  readonly enclave: () => EnclaveClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Private transactions are there to be run. */
  readonly delivered: (entries: readonly PendingEntry[]) => void;
  /** A block was searched, or waits for the manager. */
  readonly moved: () => void;
}

/**
 * Follows the canonical chain, and fetches the private transactions that its markers name.
 *
 * Block by block, in order: what was fetched is on disk with the number of its block, so that a node that was
 * killed goes on where it was. While the manager is away it waits; nothing else does.
 */
export class Delivery {
  readonly #settings: DeliverySettings;
  #cursor: Cursor;
  #waiting: WaitingForManager | undefined;
  #wake = () => {};

  constructor(settings: DeliverySettings) {
    this.#settings = settings;
    const genesis = settings.blocks.findHeader(0n);
    if (genesis === undefined) throw new Error("there is no block 0");
    this.#cursor = settings.store.findCursor() ?? { number: 0n, hash: genesis.hash };
  }

  /** The last block whose private transactions were fetched, on the chain as it is now. */
  get passed(): bigint {
    return this.#onChain().number;
  }

  get waiting(): WaitingForManager | undefined {
    return this.#waiting;
  }

  headMoved(): void {
    this.#wake();
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const moved = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await this.#catchUp(signal);
      if (this.#next() === undefined) await moved;
    }
  }

  async #catchUp(signal: AbortSignal): Promise<void> {
    for (let next = this.#next(); next !== undefined && !signal.aborted; next = this.#next()) {
      const isDone = await this.#attempt(next);
      if (!isDone) await this.#pause(signal);
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    try {
      await this.#settings.clock.sleep(RETRY_MS, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #next(): SealedBlock | undefined {
    const { blocks } = this.#settings;
    const { number } = this.#onChain();
    return number < blocks.head().number ? blocks.findBlock(number + 1n) : undefined;
  }

  async #attempt(block: SealedBlock): Promise<boolean> {
    const { clock, log, moved } = this.#settings;
    try {
      await this.#deliver(block);
      this.#waiting = undefined;
      return true;
    } catch (error) {
      const reason = messageOf(error);
      if (this.#waiting === undefined) {
        log.warn(`Private transactions of block ${block.header.number} are waiting: ${reason}`);
      }
      const { number } = block.header;
      this.#waiting = { since: this.#waiting?.since ?? clock.now(), block: number, reason };
      return false;
    } finally {
      moved();
    }
  }

  async #deliver(block: SealedBlock): Promise<void> {
    const { store, delivered } = this.#settings;
    const { header } = block;
    const markers = markersOf(block).filter(
      ({ hash }) => store.findReceipt(header.hash, hash) === undefined,
    );
    const cursor = { number: header.number, hash: header.hash };
    if (markers.length === 0) {
      if (header.number % BLOCKS_PER_NOTE === 0n) await store.addPending(cursor, []);
      this.#cursor = cursor;
      return;
    }
    const items = (await this.#fetchAll(markers)).map((item) => ({
      ...item,
      place: placeOf(item.group, header),
    }));
    await store.addPending(cursor, items);
    this.#cursor = cursor;
    delivered(
      items.map(({ place, index }) => ({ ...place, index, key: pendingKey(place, index) })),
    );
  }

  /** Anyone can name a payload again, as often as there is room in the block: it is asked for once. */
  async #fetchAll(markers: readonly Marker[]) {
    const enclave = this.#settings.enclave();
    const payloads = new Map<string, ReturnType<typeof fetchForExecution>>();
    const fetchOnce = (payloadKey: Uint8Array) => {
      const name = toBase64(payloadKey);
      const fetching = payloads.get(name) ?? fetchForExecution(enclave, payloadKey);
      payloads.set(name, fetching);
      return fetching;
    };
    const found = [];
    for (let from = 0; from < markers.length; from += AT_ONCE) {
      const part = markers.slice(from, from + AT_ONCE);
      const answers = await Promise.all(
        part.map(async ({ hash: marker, index, payloadKey }) => {
          const fetched = await fetchOnce(payloadKey);
          return fetched === undefined ? [] : [{ ...fetched, marker, index }];
        }),
      );
      found.push(...answers.flat());
    }
    return found;
  }

  /** The last searched block that is still on the chain. */
  #onChain(): Cursor {
    const { blocks } = this.#settings;
    while (blocks.findHeader(this.#cursor.number)?.hash !== this.#cursor.hash) {
      const header = blocks.findHeader(this.#cursor.hash);
      const number = this.#cursor.number - 1n;
      const hash = header?.parentHash ?? blocks.findHeader(number)?.hash;
      if (hash === undefined) throw new Error(`block ${number} is missing`);
      this.#cursor = { number, hash };
    }
    return this.#cursor;
  }
}

function placeOf(group: Uint8Array, { number, hash }: SealedHeader) {
  return { group, number, blockHash: hash };
}
