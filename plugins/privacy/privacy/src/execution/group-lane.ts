import {
  type BlockReader,
  type Clock,
  type Hash,
  type Logger,
  messageOf,
  type SealedHeader,
} from "@plinth/core";
import { RunTooLarge, RunTooLong } from "@plinth/core/evm";
import { toBase64 } from "@plinth/kit-enclave";
import type { ReplaySettings } from "../flexible/replay-history.js";
import {
  type PendingBlock,
  type RanTransaction,
  runWithHistory,
} from "../flexible/run-with-history.js";
import type { PendingEntry, PrivateStore } from "../store/private-store.js";
import { encodePrivateReceipt, type PrivateReceipt } from "../store/records.js";
import type { ExecutionOrder, ExecutionResult } from "./execute-query.js";
import type { PrivateRules } from "./run-private-transaction.js";

/** Time limit for the private transactions of a block: initial and maximum. */
const FIRST_LIMIT_MS = 2000;
const MOST_LIMIT_MS = 120_000;
const RETRY_MS = 1000;
const MOST_RETRY_MS = 60_000;

/** Why a group is stuck. */
export interface HeldGroup {
  readonly since: number;
  readonly block: bigint;
  readonly marker: string;
  readonly reason: string;
}

/** The private transactions of a group in one block, in order. */
interface LaneBlock {
  readonly number: bigint;
  readonly hash: Hash;
  readonly entries: PendingEntry[];
  /** Transaction indices of the markers in the block. */
  readonly indexes: Set<number>;
}

/** Dependencies of group lanes. */
export interface LaneSettings {
  readonly store: PrivateStore;
  readonly rules: PrivateRules;
  /** Maximum bytes of payloads per execution. */
  readonly partBytes: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Schedules an order; orders that timed out before are queued separately. */
  execute(
    order: ExecutionOrder,
    turn: { readonly owner: object; readonly isSlow: boolean; readonly signal: AbortSignal },
  ): Promise<ExecutionResult>;
  readonly blocks: ReplaySettings["blocks"] & Pick<BlockReader, "findHeader">;
  readonly nodeKey: ReplaySettings["nodeKey"];
  /** The members of a flexible group in its state after a block, in base64. */
  membersAt(
    place: { readonly group: Uint8Array; readonly header: SealedHeader; readonly root: Hash },
    asking: { readonly signal: AbortSignal; readonly owner: object },
  ): Promise<readonly string[]>;
  /** Called after a block of the group was executed and persisted. */
  executed(group: Uint8Array, header: SealedHeader, transactions: readonly RanTransaction[]): void;
  /** Called when an entry is dropped because its block left the chain or is searched again. */
  dropped(entries: readonly PendingEntry[]): void;
  /** Called when an entry leaves the lane or becomes stuck in it. */
  moved(): void;
}

/**
 * Executes the private transactions of one group in chain order.
 *
 * Groups do not wait for each other: they share only the public state, which is fixed by each block.
 */
export class GroupLane {
  readonly group: Uint8Array;
  readonly #settings: LaneSettings;
  /** In chain order. */
  readonly #blocks: LaneBlock[] = [];
  readonly #byHash = new Map<Hash, LaneBlock>();
  #length = 0;
  #held: HeldGroup | undefined;
  #attempts = 0;
  #work: Promise<void> | undefined;
  /** Aborts the execution in progress. */
  #stop = new AbortController();

  constructor(group: Uint8Array, settings: LaneSettings) {
    this.group = group;
    this.#settings = settings;
  }

  get isIdle(): boolean {
    return this.#blocks.length === 0;
  }

  get length(): number {
    return this.#length;
  }

  get held(): HeldGroup | undefined {
    return this.#held;
  }

  /** First pending block. */
  get nextNumber(): bigint | undefined {
    return this.#blocks[0]?.number;
  }

  /** Last pending block. */
  get lastNumber(): bigint | undefined {
    return this.#blocks.at(-1)?.number;
  }

  /** Whether nothing up to a block is pending. */
  hasPassed(number: bigint): boolean {
    const [first] = this.#blocks;
    return first === undefined || first.number > number;
  }

  includes({ blockHash, index }: Pick<PendingEntry, "blockHash" | "index">): boolean {
    return this.#byHash.get(blockHash)?.indexes.has(index) === true;
  }

  add(entries: readonly PendingEntry[]): void {
    for (const entry of entries) {
      if (this.includes(entry)) continue;
      const block = this.#blockOf(entry);
      block.entries.push(entry);
      block.indexes.add(entry.index);
      this.#length += 1;
    }
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
  }

  /** Aborts the execution in progress; pending entries stay. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  /**
   * Drops the pending entries of a block and of later ones; resolves once none of them is
   * executing.
   */
  async forget(from: bigint): Promise<void> {
    if (this.hasPassed(from - 1n)) {
      await this.stop();
      this.#stop = new AbortController();
      this.#attempts = 0;
      this.#held = undefined;
    }
    for (let last = this.#blocks.at(-1); last && last.number >= from; last = this.#blocks.at(-1)) {
      this.#blocks.pop();
      this.#byHash.delete(last.hash);
      this.#length -= last.entries.length;
      this.#settings.dropped(last.entries);
    }
  }

  async #run(): Promise<void> {
    const { log, moved } = this.#settings;
    const { signal } = this.#stop;
    while (!signal.aborted && this.#blocks.length > 0) {
      try {
        await this.#runFirst(signal);
        this.#attempts = 0;
        this.#held = undefined;
      } catch (error) {
        if (signal.aborted) return;
        this.#attempts += 1;
        this.#hold(error, log);
        moved();
        const pause = Math.min(RETRY_MS * 2 ** this.#attempts, MOST_RETRY_MS);
        await this.#pause(pause, signal);
      }
      moved();
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#settings;
    try {
      await clock.sleep(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #runFirst(signal: AbortSignal): Promise<void> {
    const [block] = this.#blocks;
    if (block === undefined) return;
    const { store } = this.#settings;
    const header = this.#settings.blocks.findHeader(block.number);
    if (header?.hash !== block.hash) {
      this.#remove(block);
      this.#settings.dropped(block.entries);
      return;
    }
    const root = await store.rootAt(this.group, block.number - 1n);
    // The chain may have been reorganized meanwhile, and the root with it.
    if (!store.isCanonical({ number: block.number, blockHash: block.hash })) return;
    await this.#execute(block, { header, root }, signal);
  }

  async #execute(
    block: LaneBlock,
    { header, root }: { readonly header: SealedHeader; readonly root: ExecutionOrder["root"] },
    signal: AbortSignal,
  ): Promise<void> {
    const { store, blocks, rules, execute, executed, membersAt, nodeKey, log } = this.#settings;
    const { group } = this;
    const { entries } = block;
    const maxMs = Math.min(FIRST_LIMIT_MS * 2 ** this.#attempts, MOST_LIMIT_MS);
    const isSlow = this.#attempts > 0;
    const { number, hash: blockHash, parentHash } = header;
    const { before, result, past, refused, lacking } = await runWithHistory(
      this.#pendingOf(block),
      { group, number, blockHash, root },
      {
        store,
        blocks,
        run: (order) => execute({ ...order, group, rules, maxMs }, { owner: this, isSlow, signal }),
        isLastTry: maxMs === MOST_LIMIT_MS,
        nodeKey,
        members: async () => {
          const parent = blocks.findHeader(parentHash);
          if (parent === undefined) throw new Error(`unknown block ${parentHash}`);
          return membersAt({ group, header: parent, root }, { signal, owner: this });
        },
      },
    );
    for (const reason of refused.values()) {
      log.warn(
        `The history of group ${toBase64(group)} named by block ${number} is rejected: ${reason}`,
      );
    }
    for (const count of lacking.values()) {
      log.warn(
        `Members that block ${number} adds to group ${toBase64(group)} received a history without the last ${count} private transactions before it, and end up with a different state: add them again`,
      );
    }
    const transactions = result.transactions.map(({ marker, index, receipt }) => ({
      marker,
      index,
      receipt: withRefusal(receipt, refused.get(index)),
    }));
    const hasRun = transactions.some(({ receipt }) => receipt.status === 1);
    const isChanged = result.root !== before || hasRun;
    await store.finish({
      place: { group, number, blockHash },
      entries: result.entries,
      receipts: transactions,
      groupBlock: isChanged
        ? {
            root: result.root,
            markers: transactions
              .filter(({ receipt }) => receipt.status === 1)
              .map(({ marker }) => marker),
            roots: result.roots,
          }
        : undefined,
      done: entries.map(({ key }) => key),
      past,
    });
    this.#remove(block);
    // Re-execution with the same result is not reported.
    const news = transactions.filter(({ receipt }, at) => !isSame(receipt, entries[at]?.before));
    if (news.length > 0) executed(group, header, news);
  }

  #pendingOf({ entries }: LaneBlock): PendingBlock {
    const { store, partBytes } = this.#settings;
    const parts = () => store.getPending(entries, partBytes);
    const [first = []] = parts();
    return {
      length: entries.length,
      // Most blocks have one part, which need not be read again.
      parts: first.length === entries.length ? () => [first] : parts,
      getHistory: (index) => {
        const entry = entries.find((entry) => entry.index === index);
        if (entry === undefined) throw new Error(`marker ${index} of a block has no entry`);
        return store.getHistory(entry);
      },
    };
  }

  #hold(error: unknown, log: Logger): void {
    const [first] = this.#blocks;
    const [entry] = first?.entries ?? [];
    if (first === undefined || entry === undefined) return;
    const reason = reasonOf(error);
    const marker = this.#settings.store.findPendingMarker(entry.key) ?? "";
    const since = this.#held?.since ?? this.#settings.clock.now();
    if (this.#held === undefined) {
      log.warn(
        `Private transactions of group ${toBase64(this.group)} from block ${first.number} on are waiting: ${marker} ${reason}`,
      );
    }
    this.#held = { since, block: first.number, marker, reason };
  }

  #blockOf({ blockHash: hash, number }: PendingEntry): LaneBlock {
    const known = this.#byHash.get(hash);
    if (known !== undefined) return known;
    const block: LaneBlock = { hash, number, entries: [], indexes: new Set() };
    // Blocks arrive in order; a reorganization delivers earlier ones again.
    const before = this.#blocks.findLastIndex((other) => other.number <= number);
    this.#blocks.splice(before + 1, 0, block);
    this.#byHash.set(hash, block);
    return block;
  }

  #remove(block: LaneBlock): void {
    this.#blocks.splice(this.#blocks.indexOf(block), 1);
    this.#byHash.delete(block.hash);
    this.#length -= block.entries.length;
  }
}

function reasonOf(error: unknown): string {
  const cure = "--privacy-gas-cap aborts such transactions; all members must use the same value";
  if (error instanceof RunTooLong) return `does not finish within ${error.maxMs / 1000} s; ${cure}`;
  if (error instanceof RunTooLarge) {
    return `uses more than ${error.maxBytes} bytes of memory; ${cure}`;
  }
  return messageOf(error);
}

function isSame(receipt: PrivateReceipt, before: PrivateReceipt | undefined): boolean {
  if (before === undefined) return false;
  return Buffer.compare(encodePrivateReceipt(receipt), encodePrivateReceipt(before)) === 0;
}

/** Without its history, a new member cannot execute the transaction that added it. */
function withRefusal(receipt: PrivateReceipt, refusal: string | undefined): PrivateReceipt {
  if (refusal === undefined || receipt.status === 1) return receipt;
  return { ...receipt, failure: `${receipt.failure}; the history is rejected: ${refusal}` };
}
