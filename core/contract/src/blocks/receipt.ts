import { Yielder } from "../async/yield-to-loop.js";
import { addToBloom, BLOOM_BYTES, type Bloom, createBloom } from "../primitives/bloom.js";
import { type Address, type Hash, toHex } from "../primitives/hex.js";
import { decodeRlp, encodeRlpList, type Rlp, RlpError, rlpItems } from "../primitives/rlp.js";
import {
  decodeEnvelope,
  type Envelope,
  encodeEnvelope,
  encodeInList,
  envelopeFromRlp,
  envelopeToRlp,
  type TransactionType,
} from "./envelope.js";
import { Fields, hexBytes, scalarBytes } from "./fields.js";

/** A log of a contract. */
export interface Log {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** The outcome of a transaction besides its state changes. */
export interface Receipt {
  readonly type: TransactionType;
  /** EIP-658: 1 if the transaction succeeded. */
  readonly status?: 0 | 1;
  /** Before EIP-658, instead of `status`: the state root after the transaction. */
  readonly postState?: Hash;
  /** Cumulative gas used by the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint;
  /** Gas used by this transaction alone; not part of the encoding. */
  readonly gasUsed?: bigint;
  readonly logsBloom: Bloom;
  readonly logs: readonly Log[];
}

const POST_STATE_BYTES = 32;
/** The first byte of a list in RLP. */
const FIRST_LIST = 0xc0;

/** The bloom of the addresses and topics of logs. */
export function bloomOfLogs(logs: readonly Log[]): Bloom {
  const bloom = createBloom();
  for (const { address, topics } of logs) {
    addToBloom(bloom, hexBytes(address));
    for (const topic of topics) addToBloom(bloom, hexBytes(topic));
  }
  return bloom;
}

/** Receipts of a block are encoded for its root and for the database. */
const encodings = new WeakMap<Receipt, Uint8Array>();

/** Encodes a receipt as the receipts root covers it; the bytes are shared and must not be modified. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  const known = encodings.get(receipt);
  if (known !== undefined) return known;
  const { type, cumulativeGasUsed, logsBloom, logs } = receipt;
  const gas = scalarBytes(cumulativeGasUsed);
  const bytes = encodeEnvelope(type, [outcomeBytes(receipt), gas, logsBloom, logs.map(logToRlp)]);
  encodings.set(receipt, bytes);
  return bytes;
}

/** Encodes the receipts of a block. */
export function encodeReceipts(receipts: readonly Receipt[]): Uint8Array {
  const encode = (each: Receipt) => encodeInList({ type: each.type, raw: encodeReceipt(each) });
  return encodeRlpList(receipts.map(encode));
}

/** Decodes a receipt; throws `RlpError` for anything but its canonical encoding. */
export function decodeReceipt(bytes: Uint8Array): Receipt {
  return readReceipt(decodeEnvelope("receipt", bytes));
}

/**
 * Decodes the receipts of a block, each of which keeps its bytes for its next encoding, yielding to the event loop; rejects with
 * `RlpError` for anything but their canonical encoding.
 */
export async function decodeReceiptsInTurns(bytes: Uint8Array): Promise<readonly Receipt[]> {
  const turns = new Yielder();
  const receipts: Receipt[] = [];
  for (const item of rlpItems(bytes)) {
    const isTyped = (item[0] ?? 0) < FIRST_LIST;
    const raw = isTyped ? decodeRlp(item) : item;
    if (!(raw instanceof Uint8Array)) throw new RlpError("receipts: expected a receipt");
    const receipt = decodeReceipt(raw);
    encodings.set(receipt, raw);
    receipts.push(receipt);
    if (turns.isDue) await turns.yield();
  }
  return receipts;
}

/** Encodes a receipt as part of a list of receipts. */
export function receiptToRlp(receipt: Receipt): Rlp {
  return envelopeToRlp({ type: receipt.type, raw: encodeReceipt(receipt) });
}

/** Decodes a receipt that is part of a list of receipts. */
export function receiptFromRlp(item: Rlp): Receipt {
  return readReceipt(envelopeFromRlp("receipt", item));
}

function readReceipt({ type, payload }: Envelope): Receipt {
  const fields = new Fields("receipt", payload);
  const receipt = {
    type,
    ...readOutcome(fields.bytes("status")),
    cumulativeGasUsed: fields.uint64("cumulativeGasUsed"),
    logsBloom: fields.fixed("logsBloom", BLOOM_BYTES),
    logs: fields.list("logs").map(logFromRlp),
  };
  fields.verifyEnd();
  return receipt;
}

function outcomeBytes({ status, postState }: Receipt): Uint8Array {
  if (postState !== undefined) return hexBytes(postState);
  if (status === undefined) throw new RlpError("receipt: neither status nor postState is present");
  return scalarBytes(BigInt(status));
}

function readOutcome(bytes: Uint8Array): Pick<Receipt, "status" | "postState"> {
  if (bytes.length === POST_STATE_BYTES) return { postState: toHex(bytes) };
  if (bytes.length === 0) return { status: 0 };
  if (bytes.length === 1 && bytes[0] === 1) return { status: 1 };
  throw new RlpError(`receipt.status: ${toHex(bytes)}, expected 0, 1 or a state root`);
}

function logToRlp({ address, topics, data }: Log): Rlp {
  return [hexBytes(address), topics.map(hexBytes), data];
}

function logFromRlp(item: Rlp): Log {
  const fields = new Fields("log", item);
  const log = {
    address: fields.address("address"),
    topics: fields.hashes("topics"),
    data: fields.bytes("data"),
  };
  fields.verifyEnd();
  return log;
}
