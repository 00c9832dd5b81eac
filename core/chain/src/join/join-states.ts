import { EMPTY_ROOT, hexToBytes, keccak256, toHex } from "@plinth/core";
import {
  type JoinedAccount,
  type JoinedCode,
  type JoinedState,
  JoinRefused,
  type OfferedChain,
} from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { TABLES, type Table } from "@plinth/core/storage";
import { slotKey, storagePrefix } from "../flat/keys.js";
import { decodeRecord, encodeAccountBody, encodeRecord, encodeSlotBody } from "../flat/record.js";
import { writeTries } from "../flat/tries/rebuild-tries.js";
import { BatchPieces } from "../store/batch-pieces.js";
import type { JoinContext } from "./join-context.js";
import { type JoiningRecord, putJoining } from "./joining-record.js";

/** Writes the code of contracts, by its hash; returns the record of the next step. */
export async function joinCodes(
  context: JoinContext,
  offered: OfferedChain,
  record: JoiningRecord,
): Promise<JoiningRecord> {
  const pieces = new BatchPieces(context.store);
  for (let part = record.part; part < offered.parts.codes; part++) {
    putCodes(pieces, await offered.readCodes(part));
    putJoining(pieces, { ...record, part: part + 1 });
    await pieces.commit();
  }
  return { ...record, step: "states", part: 0 };
}

/** Writes the values of the state; returns the record of the next step. */
export async function joinStates(
  context: JoinContext,
  offered: OfferedChain,
  record: JoiningRecord,
): Promise<JoiningRecord> {
  const writer = new StateWriter(context, Number(offered.block.number));
  const { states: parts } = offered.parts;
  for (let part = record.part; part < parts; part++) {
    for await (const piece of offered.readStates(part)) await writer.add(piece);
    await writer.commit({ ...record, part: part + 1 });
  }
  return { ...record, step: "tries", part: 0 };
}

/** Writes the tries of the state; throws unless it has the root that the headers prove. */
export async function joinTries(
  { store, signal, log }: JoinContext,
  { block: { stateRoot } }: OfferedChain,
): Promise<void> {
  log.info("Joining the chain: computing the state root");
  await writeTries(store, stateRoot, signal);
}

function putCodes(pieces: BatchPieces, codes: readonly JoinedCode[]): void {
  for (const { hash, code } of codes) {
    const key = keccak256(code);
    if (toHex(key) !== hash)
      throw new JoinRefused(`a code has the hash ${toHex(key)}, not ${hash}`);
    pieces.put(TABLES.code, key, code);
  }
}

/** Writes accounts and slots as values of a block. */
class StateWriter {
  readonly #since: number;
  readonly #pieces: BatchPieces;
  readonly #accounts: Table;
  readonly #codes: Table;

  constructor({ store }: JoinContext, since: number) {
    this.#since = since;
    this.#pieces = new BatchPieces(store);
    this.#accounts = store.table(TABLES.accounts);
    this.#codes = store.table(TABLES.code);
  }

  async add({ codes = [], accounts }: JoinedState): Promise<void> {
    putCodes(this.#pieces, codes);
    // Accounts are compared with what is written.
    await this.#pieces.commit();
    for (const account of accounts) await this.#addAccount(account);
  }

  async #addAccount({ key, address, account, slots }: JoinedAccount): Promise<void> {
    const body = encodeAccountBody(account);
    const isEmpty = account.storageRoot === EMPTY_ROOT;
    if (isEmpty && slots.length > 0) {
      throw new JoinRefused(`the account ${toHex(key)} has no storage, but ${slots.length} slots`);
    }
    this.#verifySame(key, body);
    this.#verifyCode(account.codeHash);
    this.#put(TABLES.accounts, key, body);
    if (address !== undefined) this.#pieces.put(TABLES.preimages, key, hexToBytes(address));
    const prefix = storagePrefix(key, 0);
    for (const { key: hash, slot, value } of slots) {
      this.#put(TABLES.slots, slotKey(prefix, hash), encodeSlotBody(value));
      if (slot !== undefined) this.#pieces.put(TABLES.preimages, hash, hexToBytes(slot));
      if (this.#pieces.isFull) await this.#pieces.commit();
    }
    if (this.#pieces.isFull) await this.#pieces.commit();
  }

  async commit(record: JoiningRecord): Promise<void> {
    putJoining(this.#pieces, record);
    await this.#pieces.commit();
  }

  #put(table: string, key: Uint8Array, body: Uint8Array): void {
    const record = { since: this.#since, version: 0, incarnation: 0, body };
    this.#pieces.put(table, key, encodeRecord(record));
  }

  /** An account whose slots are in several parts must be the same in all: its root covers all slots. */
  #verifySame(key: Uint8Array, body: Uint8Array): void {
    const known = this.#accounts.getSync(key);
    if (known === undefined || Buffer.compare(decodeRecord(known).body, body) === 0) return;
    throw new JoinRefused(`the account ${toHex(key)} has two values`);
  }

  #verifyCode(hash: `0x${string}`): void {
    if (hash === EMPTY_CODE_HASH) return;
    if (this.#codes.getSync(hexToBytes(hash)) !== undefined) return;
    throw new JoinRefused(`the code ${hash} is missing`);
  }
}
