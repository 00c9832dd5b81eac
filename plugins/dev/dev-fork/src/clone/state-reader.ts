import { EMPTY_ROOT, type Hash, hexToBytes, keccak256, toHex } from "@plinth/core";
import type { JoinedAccount, JoinedCode, JoinedState } from "@plinth/core/chain";
import type { CloneProgress } from "./clone-progress.js";
import type { CloneSource } from "./clone-source.js";
import { type KeyRange, listAccounts, type RemoteAccount } from "./listed-accounts.js";
import { readStorage, readStorageRoot } from "./storage.js";

/** Number of parts that a state is read in; an interrupted clone continues after the last complete one. */
export const STATE_PARTS = 16;

const DIGITS = 64;

/** Reads a state in parts of all keys. */
export class StateReader {
  readonly #source: CloneSource;
  readonly #progress: CloneProgress;
  /** Codes that were delivered. */
  readonly #codes = new Set<Hash>();

  constructor(source: CloneSource, progress: CloneProgress) {
    this.#source = source;
    this.#progress = progress;
  }

  /** The accounts of a part, with their code and storage. */
  async *read(part: number): AsyncGenerator<JoinedState> {
    for await (const accounts of listAccounts(this.#source, rangeOf(part))) {
      const codes: JoinedCode[] = [];
      const joined: JoinedAccount[] = [];
      for (const account of accounts) {
        const codeHash = toHex(keccak256(account.code));
        const isNew = account.code.length > 0 && !this.#codes.has(codeHash);
        if (isNew) codes.push({ hash: codeHash, code: account.code });
        this.#codes.add(codeHash);
        joined.push(await this.#join(account, codeHash));
        this.#progress.account(account.key, isNew ? account.code.length : 0);
      }
      yield { codes, accounts: joined };
    }
  }

  async #join(account: RemoteAccount, codeHash: Hash): Promise<JoinedAccount> {
    const { address, key, balance, nonce, code } = account;
    const hasStorage = code.length > 0;
    const storageRoot = hasStorage ? await readStorageRoot(this.#source, address) : EMPTY_ROOT;
    const slots =
      storageRoot === EMPTY_ROOT
        ? []
        : await readStorage(this.#source, { address, root: storageRoot });
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
