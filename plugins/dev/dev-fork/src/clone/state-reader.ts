import { type Hash, hexToBytes, keccak256, toHex } from "@plinth/core";
import { mapConcurrent } from "@plinth/core/async";
import type { JoinedAccount, JoinedCode, JoinedState } from "@plinth/core/chain";
import type { CloneProgress } from "./clone-progress.js";
import type { CloneSource } from "./clone-source.js";
import type { KeyRange } from "./key-range.js";
import type { RemoteAccount } from "./remote-account.js";
import { findForm, type StateForm } from "./state-form.js";

/** Number of parts that a state is read in; an interrupted clone continues after the last complete one. */
export const STATE_PARTS = 16;

const DIGITS = 64;
/** Batches of accounts whose storage is read at once, until so many slots wait to be written. */
const CONCURRENCY = 4;
const MAX_SLOTS = 200_000;

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
    const batches = mapConcurrent(
      form.accounts(this.#source, rangeOf(part)),
      (accounts) => this.#join(accounts, form),
      { concurrency: CONCURRENCY, maxWeight: MAX_SLOTS, weightOf: countSlots },
    );
    for await (const batch of batches) {
      const codes = batch.flatMap(({ code, joined }) => this.#newCode(code, joined));
      const accounts = batch.map(({ joined }) => joined);
      this.#progress.slots(countSlots(batch));
      for (const { key } of batch) this.#progress.account(key);
      for (const { code } of codes) this.#progress.code(code.length);
      yield { codes, accounts };
    }
  }

  async #join(accounts: readonly RemoteAccount[], form: StateForm): Promise<readonly Joined[]> {
    const batch: Joined[] = [];
    for (const account of accounts) {
      const { address, key, balance, nonce, code } = account;
      const { root: storageRoot, slots } = await form.storage(this.#source, account);
      const codeHash = toHex(keccak256(code));
      const stored = { balance, nonce, codeHash, storageRoot };
      batch.push({ key, code, joined: { key: hexToBytes(key), address, account: stored, slots } });
    }
    return batch;
  }

  /** The code of an account, unless it was delivered. */
  #newCode(
    code: Uint8Array,
    { account: { codeHash: hash } }: JoinedAccount,
  ): readonly JoinedCode[] {
    if (code.length === 0 || this.#codes.has(hash)) return [];
    this.#codes.add(hash);
    return [{ hash, code }];
  }
}

interface Joined {
  readonly key: Hash;
  readonly code: Uint8Array;
  readonly joined: JoinedAccount;
}

function countSlots(batch: readonly Joined[]): number {
  return batch.reduce((sum, { joined }) => sum + joined.slots.length, 0);
}

function rangeOf(part: number): KeyRange {
  const first = (index: number): Hash => `0x${index.toString(STATE_PARTS).padEnd(DIGITS, "0")}`;
  return { from: first(part), to: part + 1 < STATE_PARTS ? first(part + 1) : undefined };
}
