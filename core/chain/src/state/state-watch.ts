import type { Address, Hash } from "@plinth/core";
import type {
  AccountDifference,
  AccountImage,
  SlotDifference,
  StateWatch,
} from "@plinth/core/chain";
import type { Account } from "@plinth/core/evm";

/** An account and its written slots, with their previous values. */
interface Noted {
  readonly account: Account | undefined;
  readonly slots: Map<Hash, bigint>;
}

/** What a watch reads from the state. */
interface WatchedState {
  findAccount(address: Address): Account | undefined;
  getStorage(address: Address, slot: Hash): bigint;
  codeOf(account: Account): Uint8Array;
}

/** Records changes of a state, and reports the net difference at the end. */
export class JournalWatch implements StateWatch {
  readonly #state: WatchedState;
  readonly #noted = new Map<Address, Noted>();

  constructor(state: WatchedState) {
    this.#state = state;
  }

  /** Called before an account or one of its slots is changed. */
  note(address: Address, slot?: Hash): void {
    const { slots } = this.#find(address);
    if (slot === undefined || slots.has(slot)) return;
    slots.set(slot, this.#state.getStorage(address, slot));
  }

  /** The changed accounts, in order of their addresses. */
  differences(): readonly AccountDifference[] {
    return [...this.#noted]
      .map(([address, noted]) => this.#compare(address, noted))
      .filter((found) => found !== undefined)
      .sort((a, b) => (a.address < b.address ? -1 : 1));
  }

  #find(address: Address): Noted {
    const known = this.#noted.get(address);
    if (known !== undefined) return known;
    const noted = { account: this.#state.findAccount(address), slots: new Map<Hash, bigint>() };
    this.#noted.set(address, noted);
    return noted;
  }

  #compare(address: Address, noted: Noted): AccountDifference | undefined {
    const account = this.#state.findAccount(address);
    const slots = account === undefined ? [] : this.#compareSlots(address, noted);
    if (isSame(noted.account, account) && slots.length === 0) return undefined;
    const before = noted.account && this.#imageOf(noted.account);
    return { address, before, after: account && this.#imageOf(account), slots };
  }

  #compareSlots(address: Address, { slots }: Noted): readonly SlotDifference[] {
    return [...slots]
      .map(([slot, before]) => ({ slot, before, after: this.#state.getStorage(address, slot) }))
      .filter(({ before, after }) => before !== after)
      .sort((a, b) => (a.slot < b.slot ? -1 : 1));
  }

  #imageOf(account: Account): AccountImage {
    const { nonce, balance } = account;
    return { nonce, balance, code: this.#state.codeOf(account) };
  }
}

function isSame(before: Account | undefined, after: Account | undefined): boolean {
  return (
    before?.nonce === after?.nonce &&
    before?.balance === after?.balance &&
    before?.codeHash === after?.codeHash
  );
}
