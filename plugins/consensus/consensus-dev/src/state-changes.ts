import { type Header, InvalidBlock, keccak256, type PluginTable, t, toHex } from "@plinth/core";
import type { Finalization } from "@plinth/core/consensus";
import type { WorldState } from "@plinth/core/evm";
import type { AccountChange } from "./api.js";

const form = t.object({
  address: t.address,
  balance: t.optional(t.quantity),
  nonce: t.optional(t.quantity),
  code: t.optional(t.data),
  storage: t.optional(t.array(t.object({ slot: t.hash, value: t.quantity }))),
});

/**
 * Prefix of the extra data of a block that changes an account, followed by the hash of the change.
 *
 * With the hash it is longer than the extra data that an operator may set, so it is unambiguous.
 */
const MARK = Buffer.from("state-change:");
/** The length of the hash, which was the whole extra data in earlier builds. */
const DIGEST_BYTES = 32;

/**
 * State changes without a transaction.
 *
 * The extra data of the block contains the hash of its change; the change itself is stored in a table, in the same batch
 * as the block, so re-executing the block leads to the same state.
 */
export class StateChanges {
  readonly #table: PluginTable;
  /** Of blocks that are not written yet. */
  readonly #made = new Map<string, Uint8Array>();

  constructor(table: PluginTable) {
    this.#table = table;
  }

  /** Adds changes; returns the extra data of their block. */
  add(changes: readonly AccountChange[]): Uint8Array {
    const encoded = changes.map((change) => form.encode({ ...EMPTY, ...change }));
    const bytes = Buffer.from(JSON.stringify(encoded));
    const extraData = Buffer.concat([MARK, keccak256(bytes)]);
    this.#made.set(toHex(extraData), bytes);
    return extraData;
  }

  /** Whether a block changes an account without a transaction. */
  isIn({ extraData }: Pick<Header, "extraData">): boolean {
    return isMarked(extraData) || (isDigest(extraData) && this.#find(extraData) !== undefined);
  }

  /** Applies the change of a block, if any. */
  apply({ block, state }: Finalization): void {
    const { extraData, number } = block.header;
    if (!this.isIn(block.header)) return;
    const bytes = this.#find(extraData);
    if (bytes === undefined) {
      const digest = toHex(extraData.subarray(MARK.length));
      throw new InvalidBlock("state-change", `block ${number}: unknown state change ${digest}`);
    }
    for (const change of decodeChanges(bytes)) applyTo(state, change);
  }

  /** The change of a block, for its batch; `undefined` if it has none or it is already stored. */
  take(extraData: Uint8Array): Uint8Array | undefined {
    const key = toHex(extraData);
    const bytes = this.#made.get(key);
    this.#made.delete(key);
    return bytes;
  }

  #find(extraData: Uint8Array): Uint8Array | undefined {
    return this.#made.get(toHex(extraData)) ?? this.#table.getSync(extraData);
  }
}

const EMPTY = { balance: undefined, nonce: undefined, code: undefined, storage: undefined };

/** Blocks of earlier builds have a single change instead of a list. */
function decodeChanges(bytes: Uint8Array): readonly AccountChange[] {
  const json: unknown = JSON.parse(Buffer.from(bytes).toString());
  return (Array.isArray(json) ? json : [json]).map((change) => form.decode(change));
}

function isMarked(extraData: Uint8Array): boolean {
  return (
    extraData.length === MARK.length + DIGEST_BYTES &&
    MARK.equals(extraData.subarray(0, MARK.length))
  );
}

function isDigest(extraData: Uint8Array): boolean {
  return extraData.length === DIGEST_BYTES;
}

function applyTo(state: WorldState, { address, balance, nonce, code, storage }: AccountChange) {
  state.setAccount(address, {
    ...(balance === undefined ? {} : { balance }),
    ...(nonce === undefined ? {} : { nonce }),
  });
  if (code !== undefined) state.setCode(address, code);
  for (const { slot, value } of storage ?? []) state.setStorage(address, slot, value);
  if (isEmpty(state, address)) state.deleteAccount(address);
}

/** EIP-161: an empty account does not exist. */
function isEmpty(state: WorldState, address: AccountChange["address"]): boolean {
  const { nonce, balance } = state.findAccount(address) ?? { nonce: 0n, balance: 0n };
  return nonce === 0n && balance === 0n && state.getCode(address).length === 0;
}
