import { gunzipSync, gzipSync } from "node:zlib";
import {
  type Address,
  type BlockReader,
  type Codec,
  DecodeError,
  type Hash,
  t,
  toHex,
  type ValueOf,
  ZERO_HASH,
} from "@plinth/core";
import { MAX_NONCE } from "@plinth/core/blocks";
import type { AccountChange } from "@plinth/plugin-consensus-dev/api";
import { amount, amountUpTo } from "../amount.js";

/** A word of at most 32 bytes; a storage key or value. */
const word: Codec<Hash> = {
  decode: (json, path = "") => `0x${amount.decode(json, path).toString(16).padStart(64, "0")}`,
  encode: (value) => value,
  schema: { type: "string" },
};

const account = t.object({
  nonce: t.optional(amountUpTo(MAX_NONCE), 0n),
  balance: t.optional(amount, 0n),
  code: t.optional(t.data),
  storage: t.optional(t.record(word), {}),
});

/** The state part of Anvil's dump; blocks and transactions are ignored. */
const form = t.object({ accounts: t.record(account) });

const MIB = 1024 * 1024;
/** Maximum unpacked size of a file. */
export const MAX_FILE_BYTES = 512 * MIB;
/** A request of a few megabytes could unpack to more than the memory holds. */
export const MAX_REQUEST_BYTES = 32 * MIB;
const GZIP = [0x1f, 0x8b];

/**
 * Every account of the head, in Anvil's format.
 *
 * It contains no blocks, so a node that loads it continues from its own block 0.
 */
export function dumpState(blocks: BlockReader): string {
  const head = blocks.head();
  return JSON.stringify({
    block: {
      number: quantity(0n),
      beneficiary: head.coinbase,
      timestamp: quantity(head.timestamp),
      gas_limit: Number(head.gasLimit),
      basefee: Number(head.baseFeePerGas ?? 0n),
      difficulty: "0x0",
      prevrandao: head.mixHash,
      blob_excess_gas_and_price: {
        excess_blob_gas: Number(head.excessBlobGas ?? 0n),
        blob_gasprice: 1,
      },
      slot_num: 0,
    },
    accounts: Object.fromEntries(accountsOf(blocks)),
    best_block_number: 0,
    blocks: [],
    transactions: [],
    historical_states: null,
  });
}

/** A dump as methods exchange it: packed, in hex. */
export function packDump(json: string): string {
  return toHex(gzipSync(json));
}

/** The accounts of a dump, packed or as plain JSON; throws `DecodeError` if it is neither. */
export function readDump(bytes: Uint8Array, maxBytes: number): readonly AccountChange[] {
  const { accounts } = form.decode(parse(unpack(bytes, maxBytes)), "state");
  return Object.entries(accounts).map(([name, { nonce, balance, code, storage }]) => ({
    address: t.address.decode(name, `state.accounts.${name}`),
    nonce,
    balance,
    code,
    storage: slotsOf(storage),
  }));
}

function slotsOf(storage: ValueOf<typeof account>["storage"]) {
  return Object.entries(storage).map(([slot, value]) => ({
    slot: word.decode(slot, "state.accounts.storage"),
    value: BigInt(value),
  }));
}

function* accountsOf(blocks: BlockReader): Generator<[Address, object]> {
  const head = blocks.head();
  const state = blocks.stateAt(head);
  for (const { address } of blocks.accountsFrom(head, ZERO_HASH)) {
    if (address === undefined) continue;
    const { nonce, balance } = state.findAccount(address) ?? { nonce: 0n, balance: 0n };
    const slots = [...blocks.slotsAt(head, { address, start: ZERO_HASH })];
    const storage = Object.fromEntries(
      slots.flatMap(({ slot, value }) =>
        slot === undefined ? [] : [[slot, `0x${value.toString(16).padStart(64, "0")}`]],
      ),
    );
    const code = toHex(state.getCode(address));
    yield [address, { nonce: Number(nonce), balance: quantity(balance), code, storage }];
  }
}

function unpack(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  if (!GZIP.every((byte, index) => bytes[index] === byte)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength });
  } catch {
    throw new DecodeError("state", `gzip of at most ${maxOutputLength / MIB} MiB of JSON`);
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new DecodeError("state", "JSON, or gzip of it");
  }
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}
