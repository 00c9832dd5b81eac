import type { AccountFields, StateManagerInterface } from "@ethereumjs/common";
import { EVMError } from "@ethereumjs/evm";
import {
  Account,
  bytesToBigInt,
  type Address as EthereumJsAddress,
  setLengthLeft,
} from "@ethereumjs/util";
import { type Address, type Hash, hexToBytes, parseHex, toHex } from "@plinth/core";
import { AccountOverflow } from "@plinth/core/blocks";
import { ReadOnlyAccount, type WorldState } from "@plinth/core/evm";
import { Overflow } from "./overflow.js";

const WORD_BYTES = 32;
/** Any root but the empty one: no contract can be created over existing slots (EIP-7610). */
const SOME_STORAGE = new Uint8Array(WORD_BYTES);

/**
 * A WorldState behind the state manager interface of EthereumJS.
 *
 * It has no roots: the core computes them, once per block.
 */
export class StateAdapter implements StateManagerInterface {
  readonly originalStorageCache;
  #state: WorldState | undefined;
  #plain: Address | undefined;
  readonly #original = new Map<string, Uint8Array>();

  constructor() {
    this.originalStorageCache = {
      get: (address: EthereumJsAddress, key: Uint8Array) => this.#getOriginal(address, key),
      clear: () => this.#original.clear(),
    };
  }

  /** The state that the next run reads and changes. */
  use(state: WorldState): void {
    this.#state = state;
    this.#plain = undefined;
    this.#original.clear();
  }

  /** Hides the code of an account once: a simulated call may come from a contract (EIP-3607). */
  takeForPlain(address: Address): void {
    this.#plain = address;
  }

  /** Whether the current state rejects every change to an account. */
  isReadOnly(address: Address): boolean {
    return this.#world.isReadOnly?.(address) === true;
  }

  async getAccount(address: EthereumJsAddress): Promise<Account | undefined> {
    const name = toAddress(address);
    const found = this.#world.findAccount(name);
    if (found === undefined) return undefined;
    if (name === this.#plain) {
      this.#plain = undefined;
      return new Account(found.nonce, found.balance);
    }
    const hasLeftovers = found.nonce === 0n && this.#world.hasStorage(name);
    const storageRoot = hasLeftovers ? SOME_STORAGE : undefined;
    return new Account(found.nonce, found.balance, storageRoot, parseHex(found.codeHash));
  }

  async putAccount(address: EthereumJsAddress, account?: Account): Promise<void> {
    if (account === undefined) return this.deleteAccount(address);
    const { nonce, balance } = account;
    this.#change((world) => world.setAccount(toAddress(address), { nonce, balance }));
  }

  async deleteAccount(address: EthereumJsAddress): Promise<void> {
    this.#change((world) => world.deleteAccount(toAddress(address)));
  }

  async modifyAccountFields(address: EthereumJsAddress, fields: AccountFields): Promise<void> {
    const { nonce, balance } = fields;
    const change = {
      ...(nonce === undefined ? {} : { nonce }),
      ...(balance === undefined ? {} : { balance }),
    };
    this.#change((world) => world.setAccount(toAddress(address), change));
  }

  async putCode(address: EthereumJsAddress, code: Uint8Array): Promise<void> {
    this.#change((world) => world.setCode(toAddress(address), code));
  }

  async getCode(address: EthereumJsAddress): Promise<Uint8Array> {
    return this.#world.getCode(toAddress(address));
  }

  async getCodeSize(address: EthereumJsAddress): Promise<number> {
    return this.#world.getCode(toAddress(address)).length;
  }

  async getStorage(address: EthereumJsAddress, key: Uint8Array): Promise<Uint8Array> {
    const value = this.#world.getStorage(toAddress(address), toSlot(key));
    return value === 0n ? new Uint8Array() : toBytes(value);
  }

  async putStorage(address: EthereumJsAddress, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#change((world) =>
      world.setStorage(toAddress(address), toSlot(key), bytesToBigInt(value)),
    );
  }

  async clearStorage(address: EthereumJsAddress): Promise<void> {
    this.#change((world) => world.clearStorage(toAddress(address)));
  }

  async checkpoint(): Promise<void> {
    this.#world.checkpoint();
  }

  async commit(): Promise<void> {
    this.#world.commit();
  }

  async revert(): Promise<void> {
    this.#world.revert();
  }

  /** Called for receipts before Byzantium, for which the core computes the root. */
  async getStateRoot(): Promise<Uint8Array> {
    return new Uint8Array(WORD_BYTES);
  }

  setStateRoot(): Promise<void> {
    throw new Error("the core opens states");
  }

  hasStateRoot(): Promise<boolean> {
    throw new Error("the core opens states");
  }

  clearCaches(): void {
    this.#original.clear();
  }

  shallowCopy(): StateManagerInterface {
    return new StateAdapter();
  }

  get #world(): WorldState {
    if (this.#state === undefined) throw new Error("no state is in use");
    return this.#state;
  }

  /**
   * If an account is read-only, or would exceed its limits, the call that tried to change it fails.
   */
  #change(change: (world: WorldState) => void): void {
    try {
      change(this.#world);
    } catch (error) {
      if (error instanceof AccountOverflow) throw new Overflow(error);
      if (error instanceof ReadOnlyAccount) {
        throw new EVMError(EVMError.errorMessages.STATIC_STATE_CHANGE);
      }
      throw error;
    }
  }

  /** The value at the start of the transaction, which decides what a change costs (EIP-2200). */
  async #getOriginal(address: EthereumJsAddress, key: Uint8Array): Promise<Uint8Array> {
    const name = `${toAddress(address)}${toSlot(key)}`;
    const known = this.#original.get(name);
    if (known !== undefined) return known;
    const value = await this.getStorage(address, key);
    this.#original.set(name, value);
    return value;
  }
}

function toAddress(address: EthereumJsAddress): Address {
  return toHex(address.bytes);
}

function toSlot(key: Uint8Array): Hash {
  return toHex(key.length === WORD_BYTES ? key : setLengthLeft(key, WORD_BYTES));
}

function toBytes(value: bigint): Uint8Array {
  const digits = value.toString(16);
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}
