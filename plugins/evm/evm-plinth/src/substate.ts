import type { Address, Hash } from "@plinth/core";
import type { AccessListEntry } from "@plinth/core/blocks";
import type { EvmLog } from "@plinth/core/evm";
import { hashOfWord, type Word, wordOfHex } from "./arithmetic/words.js";

/** Transaction-scoped data of a slot. */
export interface SlotAccess {
  readonly hash: Hash;
  /** EIP-2929. */
  isWarm: boolean;
  /** Its value before the transaction, once it was read. */
  original: bigint | undefined;
}

/** Transaction-scoped data of an account. */
export interface AccountAccess {
  readonly address: Address;
  /** EIP-2929. */
  isWarm: boolean;
  /** Created on the first access. */
  slots: Map<Word, SlotAccess> | undefined;
  /** EIP-1153; created on the first write. */
  transient: Map<Word, Word> | undefined;
}

/** A log, or a transfer of value that is reported as one. */
export interface LoggedEvent {
  readonly log: EvmLog;
  readonly isTransfer: boolean;
  /** Sequence number among all of them, including reverted ones. */
  readonly index: number;
}

/** RIPEMD-160, whose account stays touched when its call is reverted (EIP-161, block 2,675,119). */
const RIPEMD: Address = "0x0000000000000000000000000000000000000003";

/** A checkpoint. */
export interface Snapshot {
  readonly undone: number;
  readonly logs: number;
  readonly logBytes: number;
  readonly refund: number;
}

/**
 * The transaction substate: accesses, transient storage, refunds, logs, accounts to remove.
 *
 * A failed frame reverts its changes here, as it does with the state.
 */
export class Substate {
  refund = 0;
  readonly events: LoggedEvent[] = [];
  /** Size of the data of all of them. */
  logBytes = 0;
  /** Number of events, including reverted ones. */
  eventCount = 0;
  readonly created = new Set<Address>();
  readonly destroyed = new Set<Address>();
  readonly touched = new Set<Address>();
  readonly #precompiles: ReadonlyMap<Address, unknown>;
  readonly #accounts = new Map<Address, AccountAccess>();
  readonly #recorded: Map<Address, Set<Hash>> | undefined;
  readonly #undo: (() => void)[] = [];

  /** Precompiles are warm from the start. */
  constructor(
    precompiles: ReadonlyMap<Address, unknown>,
    { recordsAccess = false }: { readonly recordsAccess?: boolean } = {},
  ) {
    this.#precompiles = precompiles;
    this.#recorded = recordsAccess ? new Map() : undefined;
  }

  /**
   * What code or the access list accessed for the first time, in this order; if recording is on.
   */
  get recorded(): readonly AccessListEntry[] {
    return [...(this.#recorded ?? [])].map(([address, keys]) => ({
      address,
      storageKeys: [...keys],
    }));
  }

  snapshot(): Snapshot {
    const { refund, logBytes } = this;
    return { undone: this.#undo.length, logs: this.events.length, logBytes, refund };
  }

  revertTo({ undone, logs, logBytes, refund }: Snapshot): void {
    while (this.#undo.length > undone) this.#undo.pop()?.();
    this.events.length = logs;
    this.logBytes = logBytes;
    this.refund = refund;
  }

  access(address: Address): AccountAccess {
    let access = this.#accounts.get(address);
    if (access === undefined) {
      const isWarm = this.#precompiles.has(address);
      access = { address, isWarm, slots: undefined, transient: undefined };
      this.#accounts.set(address, access);
    }
    return access;
  }

  slot(account: AccountAccess, key: Word): SlotAccess {
    account.slots ??= new Map();
    let slot = account.slots.get(key);
    if (slot === undefined) {
      slot = { hash: hashOfWord(key), isWarm: false, original: undefined };
      account.slots.set(key, slot);
    }
    return slot;
  }

  /** Marks an account as accessed; returns whether it already was. */
  warm(account: AccountAccess): boolean {
    if (account.isWarm) return true;
    account.isWarm = true;
    this.#undo.push(() => {
      account.isWarm = false;
    });
    this.#record(account.address);
    return false;
  }

  /** Marks a slot as accessed; returns whether it already was. */
  warmSlot(account: AccountAccess, slot: SlotAccess): boolean {
    if (slot.isWarm) return true;
    slot.isWarm = true;
    this.#undo.push(() => {
      slot.isWarm = false;
    });
    this.#record(account.address)?.add(slot.hash);
    return false;
  }

  /** Marks an account as accessed for the whole transaction, without recording it. */
  prewarm(address: Address): void {
    this.access(address).isWarm = true;
  }

  /** Marks the access list of a transaction (EIP-2930). */
  announce({ address, storageKeys }: AccessListEntry): void {
    const account = this.access(address);
    account.isWarm = true;
    const recorded = this.#record(address);
    for (const key of storageKeys) {
      this.slot(account, wordOfHex(key)).isWarm = true;
      recorded?.add(key);
    }
  }

  setTransient(account: AccountAccess, key: Word, value: Word): void {
    account.transient ??= new Map();
    const { transient } = account;
    const before = transient.get(key);
    transient.set(key, value);
    this.#undo.push(() => {
      if (before === undefined) transient.delete(key);
      else transient.set(key, before);
    });
  }

  log(log: EvmLog, isTransfer = false): void {
    this.logBytes += log.data.length;
    this.events.push({ log, isTransfer, index: this.eventCount });
    this.eventCount += 1;
  }

  /** Marks an account that is removed in the end if it is empty (EIP-161). */
  touch(address: Address): void {
    if (this.touched.has(address)) return;
    this.touched.add(address);
    if (address !== RIPEMD) this.#undo.push(() => this.touched.delete(address));
  }

  create(address: Address): void {
    this.created.add(address);
    this.#undo.push(() => this.created.delete(address));
  }

  /** Schedules an account for removal; returns whether it already was. */
  destroy(address: Address): boolean {
    if (this.destroyed.has(address)) return true;
    this.destroyed.add(address);
    this.#undo.push(() => this.destroyed.delete(address));
    return false;
  }

  #record(address: Address): Set<Hash> | undefined {
    if (this.#recorded === undefined) return undefined;
    let keys = this.#recorded.get(address);
    if (keys === undefined) {
      keys = new Set();
      this.#recorded.set(address, keys);
    }
    return keys;
  }
}
