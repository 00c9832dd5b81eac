import { EMPTY_ROOT, type Hash, hexToBytes, toHex } from "@plinth/core";
import type { FetchedValues, OriginAccount } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { TABLES, type Table, type WriteBatch } from "@plinth/core/storage";
import { TrieBuilder } from "../state/build-trie.js";
import { hashedKey } from "../state/hashed-key.js";
import { NotFetched, type SlotChange } from "../state/state-source.js";
import { encodeSlotValue } from "../state/state-values.js";
import type { FlatSlot, FlatView } from "./flat-source.js";
import {
  accountOfPrefix,
  incarnationOfPrefix,
  isAccountKey,
  prefixOfSlot,
  slotKey,
  storagePrefix,
} from "./keys.js";
import {
  decodeAccountBody,
  decodeRecord,
  encodeAccountBody,
  encodeRecord,
  encodeSlotBody,
  type FlatValue,
} from "./record.js";

const ORIGIN = Buffer.from("state-origin");
const MARK_TEXT = "plinth: other slots are at the origin of the state";
const MARK_VALUE = 1n;

/** A slot in the storage of each account that has more storage at the origin, and the root of a storage with it alone. */
interface Mark {
  readonly change: SlotChange;
  readonly root: Hash;
}

/** The block whose state is somewhere else. */
export interface OriginBlock {
  readonly number: number;
  readonly stateRoot: Hash;
}

/** The block whose state is somewhere else; `undefined` if the whole state is here. */
export function findOrigin(chain: Table): OriginBlock | undefined {
  const bytes = chain.getSync(ORIGIN);
  if (bytes === undefined) return undefined;
  const number = Number(Buffer.from(bytes).readBigUInt64BE());
  return { number, stateRoot: toHex(bytes.subarray(8)) };
}

/** The entry of the table `chain` with that block. */
export function originEntry({ number, stateRoot }: OriginBlock): readonly [Uint8Array, Uint8Array] {
  const first = Buffer.alloc(8);
  first.writeBigUInt64BE(BigInt(number));
  return [ORIGIN, Buffer.concat([first, hexToBytes(stateRoot)])];
}

/**
 * The values of a state that is somewhere else, as far as they were fetched.
 *
 * They are those of one block, and of all later ones that did not write them. The tries contain only what was written
 * here, so roots do not depend on what was read.
 */
export class FetchedState {
  readonly block: OriginBlock;
  readonly #table: Table;

  constructor(block: OriginBlock, source: { table(name: string): Table }) {
    this.block = block;
    this.#table = source.table(TABLES.fetched);
  }

  /** The same view with values of the origin where it has none; throws `NotFetched` if they are not here. */
  under(view: FlatView): FlatView {
    return {
      find: (key) => view.find(key) ?? this.#find(key),
      openTries: (incarnationOf) => view.openTries(incarnationOf),
      prepareTries: (pace) => view.prepareTries(pace),
    };
  }

  /** The first slot of the storage here of an account of the origin; `undefined` once it is written. */
  markOf(value: FlatValue, storageRoot: Hash): SlotChange | undefined {
    const isWritten = "since" in value;
    return isWritten || storageRoot !== mark().root ? undefined : mark().change;
  }

  /** The root of the tries here of a state root: the state of the block itself is somewhere else. */
  trieRootOf(stateRoot: Hash): Hash {
    return stateRoot === this.block.stateRoot ? EMPTY_ROOT : stateRoot;
  }

  #find(key: Uint8Array): FlatValue | undefined {
    const found = this.#get(key);
    if (isAccountKey(key)) return found ?? notFetched();
    const prefix = prefixOfSlot(key);
    // Storage that was cleared here has nothing of the origin.
    if (incarnationOfPrefix(prefix) > 0) return undefined;
    return found ?? (this.#hasStorage(accountOfPrefix(prefix)) ? notFetched() : undefined);
  }

  /** Whether an account has storage at the origin: one that was created here has none. */
  #hasStorage(key: Uint8Array): boolean {
    const account = decodeAccountBody((this.#get(key) ?? notFetched()).body);
    return account !== undefined && account.storageRoot !== EMPTY_ROOT;
  }

  #get(key: Uint8Array): FlatValue | undefined {
    const bytes = this.#table.getSync(key);
    if (bytes === undefined) return undefined;
    // Without its place in the history: it has none.
    const { incarnation, body } = decodeRecord(bytes);
    return { incarnation, body };
  }
}

function notFetched(): never {
  throw new NotFetched();
}

/** Adds fetched values to a batch; blocks may have been executed with those that are here already. */
export function putFetched(
  batch: Pick<WriteBatch, "put">,
  { accounts, slots }: FetchedValues,
  { since, known }: { readonly since: number; readonly known: Pick<Table, "getSync"> },
): void {
  const put = (key: Uint8Array, body: Uint8Array) => {
    if (known.getSync(key) !== undefined) return;
    batch.put(TABLES.fetched, key, encodeRecord({ since, version: 0, incarnation: 0, body }));
  };
  for (const { address, account } of accounts) {
    const key = hashedKey(address);
    if (account !== undefined && account.code.length > 0) {
      batch.put(TABLES.code, hexToBytes(keccakHash(account.code)), account.code);
    }
    batch.put(TABLES.preimages, key, hexToBytes(address));
    put(key, encodeAccountBody(account && toStored(account)));
  }
  for (const { address, slot, value } of slots) {
    const prefix = storagePrefix(hashedKey(address), 0);
    batch.put(TABLES.preimages, hashedKey(slot), hexToBytes(slot));
    put(slotKey(prefix, hashedKey(slot)), encodeSlotBody(value));
  }
}

/** An account without code and transactions has no storage. */
function toStored({ nonce, balance, code }: OriginAccount) {
  const hasStorage = nonce > 0n || code.length > 0;
  return {
    nonce,
    balance,
    codeHash: code.length === 0 ? EMPTY_CODE_HASH : keccakHash(code),
    storageRoot: hasStorage ? mark().root : EMPTY_ROOT,
  };
}

let known: Mark | undefined;

/** Hashes are available once the node runs. */
function mark(): Mark {
  if (known !== undefined) return known;
  const slot = keccakHash(Buffer.from(MARK_TEXT));
  const key = hashedKey(slot);
  const before: FlatSlot = { value: 0n, stored: undefined };
  const trie = new TrieBuilder(() => {});
  trie.add(key, encodeSlotValue(MARK_VALUE));
  known = { change: { slot, key, before, value: MARK_VALUE }, root: trie.finish() };
  return known;
}
