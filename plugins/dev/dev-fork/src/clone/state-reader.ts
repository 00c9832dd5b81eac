import { type Hash, hexToBytes, keccak256, toHex } from "@plinth/core";
import type { JoinedAccount, JoinedCode, JoinedState } from "@plinth/core/chain";
import type { CloneProgress } from "./clone-progress.js";
import type { CloneSource } from "./clone-source.js";
import type { KeyRange } from "./key-range.js";
import type { RemoteAccount } from "./remote-account.js";
import { findForm, type StateForm } from "./state-form.js";

/** Number of parts that a state is read in; an interrupted clone continues after the last complete one. */
export const STATE_PARTS = 16;

const DIGITS = 64;

/** Reads a state in parts of all keys. */
export class StateReader {
  readonly #source: CloneSource;
  readonly #progress: CloneProgress;
  #form: StateForm | undefined;
  /** Codes that were delivered. */
  readonly #codes = new Set<Hash>();

  constructor(source: CloneSource, progress: CloneProgress) {
    this.#source = source;
    this.#progress = progress;
  }

  /** The accounts of a part, with their code and storage. */
  async *read(part: number): AsyncGenerator<JoinedState> {
    this.#form ??= await findForm(this.#source);
    const form = this.#form;
    for await (const accounts of form.accounts(this.#source, rangeOf(part))) {
      const codes: JoinedCode[] = [];
      const joined: JoinedAccount[] = [];
      for (const account of accounts) {
        const codeHash = toHex(keccak256(account.code));
        const isNew = account.code.length > 0 && !this.#codes.has(codeHash);
        if (isNew) codes.push({ hash: codeHash, code: account.code });
        this.#codes.add(codeHash);
        joined.push(await this.#join(account, { codeHash, form }));
        this.#progress.account(account.key, isNew ? account.code.length : 0);
      }
      yield { codes, accounts: joined };
    }
  }

  async #join(
    account: RemoteAccount,
    { codeHash, form }: { readonly codeHash: Hash; readonly form: StateForm },
  ): Promise<JoinedAccount> {
    const { address, key, balance, nonce } = account;
    const { root: storageRoot, slots } = await form.storage(this.#source, account);
    this.#progress.slots(slots.length);
    return {
      key: hexToBytes(key),
      address,
      account: { balance, nonce, codeHash, storageRoot },
      slots,
    };
  }
}

function rangeOf(part: number): KeyRange {
  const first = (index: number): Hash => `0x${index.toString(STATE_PARTS).padEnd(DIGITS, "0")}`;
  return { from: first(part), to: part + 1 < STATE_PARTS ? first(part + 1) : undefined };
}
