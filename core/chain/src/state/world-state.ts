import type { Address, Hash } from "@plinth/core";
import { EMPTY_ROOT, InvariantError } from "@plinth/core";
import { AccountOverflow, MAX_UINT64, MAX_UINT256 } from "@plinth/core/blocks";
import {
  type AccessedAccount,
  type MissingValue,
  type ScratchState,
  StateMissing,
  type StoredAccount,
} from "@plinth/core/chain";
import type { Account } from "@plinth/core/evm";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { hashedKey } from "./hashed-key.js";
import type { AccountChange } from "./state-root.js";
import {
  EMPTY_SLOT,
  NotFetched,
  type SlotChange,
  type StateSource,
  type StoredSlot,
} from "./state-source.js";
import { JournalWatch } from "./state-watch.js";

/** A cached account; also cached if it does not exist. */
interface Entry {
  readonly address: Address;
  readonly key: Uint8Array;
  readonly before: StoredAccount | undefined;
  account: Account | undefined;
  storage: Storage;
}

/** A stored storage trie with the writes on top of it. */
interface Storage {
  readonly root: Hash;
  /** Most accounts are read without their storage. */
  read: Map<Hash, StoredSlot> | undefined;
  written: Map<Hash, bigint> | undefined;
}

const NO_CODE = new Uint8Array();
/** So many values are fetched at once. */
const MAX_MISSING = 4096;

/**
 * The state at a root and the changes on top of it.
 *
 * Reads check the changes, then the cache, then the trie. A checkpoint is free, reverting it costs
 * as much as was changed since.
 */
export class JournaledState implements ScratchState {
  readonly source: StateSource;
  readonly #entries = new Map<Address, Entry>();
  readonly #touched = new Set<Entry>();
  /** Read or new, by hash. */
  readonly #code = new Map<Hash, Uint8Array>();
  /** Undo log of the changes since the outermost checkpoint, latest last. */
  readonly #undo: (() => void)[] = [];
  /** The start of each open checkpoint in the log above. */
  readonly #checkpoints: number[] = [];
  #watch: JournalWatch | undefined;
  /** Values that are missing, while work runs on guesses. */
  #missing: Map<string, MissingValue> | undefined;

  constructor(source: StateSource) {
    this.source = source;
  }

  /** The root of the state to change. */
  get root(): Hash {
    return this.source.root;
  }

  findAccount(address: Address): Account | undefined {
    return this.#entryOf(address).account;
  }

  getCode(address: Address): Uint8Array {
    return this.#codeOf(this.findAccount(address)?.codeHash ?? EMPTY_CODE_HASH);
  }

  getStorage(address: Address, slot: Hash): bigint {
    const entry = this.#entryOf(address);
    return entry.storage.written?.get(slot) ?? this.#readStorage(entry, slot).value;
  }

  hasStorage(address: Address): boolean {
    const { root, written } = this.#entryOf(address).storage;
    if (root !== EMPTY_ROOT) return true;
    for (const value of written?.values() ?? []) if (value !== 0n) return true;
    return false;
  }

  setAccount(
    address: Address,
    change: { readonly nonce?: bigint; readonly balance?: bigint },
  ): void {
    const entry = this.#entryOf(address);
    const { account } = entry;
    verifyLimits(address, change);
    this.#replaceAccount(entry, {
      nonce: change.nonce ?? account?.nonce ?? 0n,
      balance: change.balance ?? account?.balance ?? 0n,
      codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
    });
  }

  setCode(address: Address, code: Uint8Array): void {
    const entry = this.#entryOf(address);
    const codeHash = keccakHash(code);
    // Not journaled: code is found by its hash only, and unreferenced code is not written.
    if (code.length > 0) this.#code.set(codeHash, new Uint8Array(code));
    const { nonce, balance } = entry.account ?? { nonce: 0n, balance: 0n };
    this.#replaceAccount(entry, { nonce, balance, codeHash });
  }

  setStorage(address: Address, slot: Hash, value: bigint): void {
    const entry = this.#entryOf(address);
    if (entry.account === undefined) {
      if (value === 0n) return;
      this.setAccount(address, {});
    }
    this.#watch?.note(address, slot);
    entry.storage.written ??= new Map();
    const { written } = entry.storage;
    const before = written.get(slot);
    this.#record(entry, () => {
      if (before === undefined) written.delete(slot);
      else written.set(slot, before);
    });
    written.set(slot, value);
  }

  clearStorage(address: Address): void {
    const entry = this.#entryOf(address);
    const { storage } = entry;
    this.#record(entry, () => {
      entry.storage = storage;
    });
    entry.storage = createStorage(EMPTY_ROOT);
  }

  deleteAccount(address: Address): void {
    const entry = this.#entryOf(address);
    if (entry.account === undefined) return;
    this.clearStorage(address);
    this.#replaceAccount(entry, undefined);
  }

  checkpoint(): void {
    this.#checkpoints.push(this.#undo.length);
  }

  commit(): void {
    this.#closeCheckpoint();
    if (this.#checkpoints.length === 0) this.#undo.length = 0;
  }

  revert(): void {
    const start = this.#closeCheckpoint();
    while (this.#undo.length > start) this.#undo.pop()?.();
  }

  /**
   * Runs work that may fail.
   *
   * If it throws, the state is restored, whatever checkpoints it left open.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const depth = this.#checkpoints.length;
    this.checkpoint();
    try {
      const result = await work();
      if (this.#checkpoints.length !== depth + 1) {
        throw new InvariantError("the work left checkpoints open, or closed more than it opened");
      }
      this.commit();
      return result;
    } catch (error) {
      while (this.#checkpoints.length > depth) this.revert();
      throw error;
    }
  }

  get isPartial(): boolean {
    return this.source.markOf !== undefined;
  }

  async findMissing<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isPartial || this.#missing !== undefined) return work();
    this.#missing = new Map();
    try {
      const result = await work();
      this.#verifyComplete();
      return result;
    } catch (error) {
      // Whatever failed may have failed because of a guess.
      this.#verifyComplete();
      throw error;
    } finally {
      this.#missing = undefined;
    }
  }

  /** Throws if there were guesses, which are forgotten. */
  #verifyComplete(): void {
    const missing = [...(this.#missing?.values() ?? [])];
    if (missing.length === 0) return;
    for (const { address, slot } of missing) {
      if (slot !== undefined) continue;
      const entry = this.#entries.get(address);
      this.#entries.delete(address);
      if (entry !== undefined) this.#touched.delete(entry);
    }
    throw new StateMissing(missing);
  }

  /** Notes a missing value, to go on with a guess; throws if nothing may be guessed. */
  #guess(error: unknown, value: MissingValue): void {
    if (!(error instanceof NotFetched)) throw error;
    if (this.#missing === undefined) throw new StateMissing([value]);
    this.#missing.set(`${value.address} ${value.slot}`, value);
    if (this.#missing.size >= MAX_MISSING) this.#verifyComplete();
  }

  #findStored(address: Address, key: Uint8Array): StoredAccount | undefined {
    try {
      return this.source.findAccount(key);
    } catch (error) {
      this.#guess(error, { address });
      return undefined;
    }
  }

  /** The accounts that were read or changed, each with the slots that were changed, or read where it had any. */
  *accessed(): Generator<AccessedAccount, undefined> {
    for (const { address, storage } of this.#entries.values()) {
      yield {
        address,
        slots: new Set([...(storage.read?.keys() ?? []), ...(storage.written?.keys() ?? [])]),
      };
    }
  }

  /** Starts recording changes, until the next recording starts. */
  watch(): JournalWatch {
    this.#watch = new JournalWatch({
      findAccount: (address) => this.findAccount(address),
      getStorage: (address, slot) => this.getStorage(address, slot),
      codeOf: ({ codeHash }) => this.#codeOf(codeHash),
    });
    return this.#watch;
  }

  /** Everything to write to get from the root to this state; may be called at any time. */
  changes(): readonly AccountChange[] {
    return [...this.#touched].map((entry) => {
      const { address, key, before, account: after, storage } = entry;
      const code =
        after !== undefined && after.codeHash !== before?.codeHash
          ? this.#code.get(after.codeHash)
          : undefined;
      return {
        address,
        key,
        before,
        after,
        storageRoot: storage.root,
        slots: this.#slotChanges(entry),
        ...(code !== undefined && { code }),
      };
    });
  }

  #slotChanges(entry: Entry): readonly SlotChange[] {
    const changes: SlotChange[] = [];
    for (const [slot, value] of entry.storage.written ?? []) {
      const before = this.#readStorage(entry, slot);
      if (before.value === value) continue;
      changes.push({ slot, key: hashedKey(slot), before, value });
    }
    return changes;
  }

  #codeOf(hash: Hash): Uint8Array {
    if (hash === EMPTY_CODE_HASH) return NO_CODE;
    let code = this.#code.get(hash);
    if (code === undefined) {
      code = this.source.getCode(hash);
      this.#code.set(hash, code);
    }
    return code;
  }

  #entryOf(address: Address): Entry {
    const known = this.#entries.get(address);
    if (known !== undefined) return known;

    const key = hashedKey(address);
    const before = this.#findStored(address, key);
    const entry: Entry = {
      address,
      key,
      before,
      account: before && {
        nonce: before.nonce,
        balance: before.balance,
        codeHash: before.codeHash,
      },
      storage: createStorage(before?.storageRoot ?? EMPTY_ROOT),
    };
    this.#entries.set(address, entry);
    return entry;
  }

  #readStorage({ address, key, before: stored, storage }: Entry, slot: Hash): StoredSlot {
    if (storage.root === EMPTY_ROOT || stored === undefined) return EMPTY_SLOT;
    const known = storage.read?.get(slot);
    if (known !== undefined) return known;

    try {
      const found = this.source.findSlot({ key, stored }, hashedKey(slot));
      storage.read ??= new Map();
      storage.read.set(slot, found);
      return found;
    } catch (error) {
      this.#guess(error, { address, slot });
      return EMPTY_SLOT;
    }
  }

  #replaceAccount(entry: Entry, account: Account | undefined): void {
    this.#watch?.note(entry.address);
    const before = entry.account;
    this.#record(entry, () => {
      entry.account = before;
    });
    entry.account = account;
  }

  #record(entry: Entry, undo: () => void): void {
    this.#touched.add(entry);
    if (this.#checkpoints.length > 0) this.#undo.push(undo);
  }

  #closeCheckpoint(): number {
    const start = this.#checkpoints.pop();
    if (start === undefined) throw new InvariantError("no checkpoint is open");
    return start;
  }
}

function createStorage(root: Hash): Storage {
  return { root, read: undefined, written: undefined };
}

/** Limits of the encoding, whatever runs in a block. */
function verifyLimits(
  address: Address,
  { nonce = 0n, balance = 0n }: { readonly nonce?: bigint; readonly balance?: bigint },
): void {
  if (balance > MAX_UINT256) {
    throw new AccountOverflow(
      "balance-overflow",
      `the balance of ${address} would exceed 256 bits`,
    );
  }
  if (nonce > MAX_UINT64) {
    throw new AccountOverflow("nonce-overflow", `the nonce of ${address} would exceed 64 bits`);
  }
}
