import { messageOf, type SealedHeader, toHex } from "@plinth/core";
import type { VerifiedNode } from "@plinth/core/chain";
import type { Table } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { firstKept } from "../flat/history/kept-history.js";
import { isAccountKey, keyOfHistory, numberOf, versionOfHistory } from "../flat/keys.js";
import {
  decodeAccountBody,
  decodeChangedKeys,
  decodeChanges,
  decodeRecord,
  type FlatRecord,
  type FlatValue,
} from "../flat/record.js";
import { readFormat } from "../flat/state-format.js";
import { FlatValues } from "../flat/values.js";

const MAX_SLOT_BYTES = 32;

/**
 * Verifies what a flat layout has besides the state of the head: earlier values, the changed keys of blocks, and blocks
 * off the canonical chain.
 *
 * Yields after each entry; nothing for a layout without these tables.
 */
export async function* verifyHistory(
  source: { table(name: string): Table },
  { number }: Pick<SealedHeader, "number">,
): AsyncGenerator<VerifiedNode> {
  if (readFormat(source) !== "BONSAI") return;
  const verification = new HistoryVerification(source, Number(number));
  yield* verify(source, TABLES.accounts, (key, value) => verification.verifyLatest(key, value));
  yield* verify(source, TABLES.slots, (key, value) => verification.verifyLatest(key, value));
  yield* verify(source, TABLES.history, (key, value) => verification.verifyEarlier(key, value));
  yield* verify(source, TABLES.stateChanges, (key, value) => verification.verifyKeys(key, value));
  yield* verify(source, TABLES.sideChanges, (_, value) => {
    for (const change of decodeChanges(value)) decodeBody(change.key, change);
  });
}

async function* verify(
  source: { table(name: string): Table },
  table: string,
  verifyEntry: (key: Uint8Array, value: Uint8Array) => void,
): AsyncGenerator<VerifiedNode> {
  for await (const [key, value] of source.table(table).iterate()) {
    try {
      verifyEntry(key, value);
      yield { problems: [] };
    } catch (error) {
      yield { problems: [{ where: `${table} ${toHex(key)}`, problem: messageOf(error) }] };
    }
  }
}

class HistoryVerification {
  readonly #values: FlatValues;
  readonly #head: number;
  readonly #first: number;

  constructor(source: { table(name: string): Table }, head: number) {
    this.#values = new FlatValues(source);
    this.#head = head;
    this.#first = firstKept(source.table(TABLES.chain));
  }

  verifyLatest(key: Uint8Array, bytes: Uint8Array): void {
    const record = decodeRecord(bytes);
    decodeBody(key, record);
    this.#verifyBefore(key, record);
  }

  verifyEarlier(place: Uint8Array, bytes: Uint8Array): void {
    const key = keyOfHistory(place);
    const version = versionOfHistory(place);
    const record = decodeRecord(bytes);
    decodeBody(key, record);
    if (record.version !== version) throw new RangeError(`it has the version ${record.version}`);
    const next = this.#find(key, version + 1);
    // Values of a key that was removed before the first kept block may be left for a while.
    if (next === undefined && record.since >= this.#first) {
      throw new RangeError(`the version ${version + 1} of its key is missing`);
    }
    this.#verifyBefore(key, record);
  }

  verifyKeys(place: Uint8Array, bytes: Uint8Array): void {
    const block = numberOf(place);
    if (block > this.#head) throw new RangeError("the head is below it");
    for (const { key, version } of decodeChangedKeys(bytes)) {
      const found = this.#find(key, version);
      if (found?.since !== block) {
        throw new RangeError(`the version ${version} of ${toHex(key)} is not of this block`);
      }
    }
  }

  /** A value of a kept block replaced another kept one, unless it is the first of its key. */
  #verifyBefore(key: Uint8Array, { since, version }: FlatRecord): void {
    if (version === 0) return;
    const before = this.#values.findVersion(key, version - 1);
    if (before === undefined && since <= this.#first) return;
    if (before === undefined) throw new RangeError(`the version ${version - 1} of it is missing`);
    if (before.since >= since) {
      throw new RangeError(
        `it is of block ${since}, but the version before of block ${before.since}`,
      );
    }
  }

  #find(key: Uint8Array, version: number): FlatRecord | undefined {
    const latest = this.#values.findLatest(key);
    return latest?.version === version ? latest : this.#values.findVersion(key, version);
  }
}

/** Throws if the value of a key cannot be decoded. */
function decodeBody(key: Uint8Array, { body }: FlatValue): void {
  if (isAccountKey(key)) decodeAccountBody(body);
  else if (body.length > MAX_SLOT_BYTES) throw new RangeError(`a slot has ${body.length} bytes`);
}
