import type { Address, Hash, Header, StateReader } from "@plinth/core";
import type { AccountSource } from "../api.js";
import type { ChainSource } from "../chain-source.js";

const WORD_DIGITS = 64;

/** An account after a block; an unknown one, or one whose state is not kept, is empty. */
export class AccountView implements AccountSource {
  readonly address: Address;
  readonly #reader: ChainSource;
  readonly #header: Header;

  constructor(reader: ChainSource, address: Address, header: Header) {
    this.address = address;
    this.#reader = reader;
    this.#header = header;
  }

  get balance(): bigint {
    return this.#state?.findAccount(this.address)?.balance ?? 0n;
  }

  get transactionCount(): bigint {
    return this.#state?.findAccount(this.address)?.nonce ?? 0n;
  }

  get code(): Uint8Array {
    const code = this.#state?.getCode(this.address) ?? new Uint8Array();
    this.#reader.context.budget.take(2 * code.length);
    return code;
  }

  storage(slot: Hash): Hash {
    const word = this.#state?.getStorage(this.address, slot) ?? 0n;
    return `0x${word.toString(16).padStart(WORD_DIGITS, "0")}`;
  }

  get #state(): StateReader | undefined {
    return this.#reader.findState(this.#header);
  }
}
