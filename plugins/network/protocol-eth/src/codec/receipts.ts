import { type Log, type Receipt, type Rlp, RlpError } from "@plinth/core";
import {
  bloomOfLogs,
  Fields,
  receiptFromRlp,
  receiptToRlp,
  scalarBytes,
} from "@plinth/core/blocks";
import { hashes, listOf, type TaggedCodec, tagged } from "./message.js";

const FIRST_FLAT = 69;

export const getReceipts = tagged(0x0f, "GetReceipts", hashes);

/** Receipts of several blocks; from eth/69 on without blooms, and with their type as a field. */
export function receiptsCodec(version: number): TaggedCodec<readonly (readonly Receipt[])[]> {
  const [toRlp, fromRlp] =
    version >= FIRST_FLAT ? [flatToRlp, flatFromRlp] : [receiptToRlp, receiptFromRlp];
  const ofBlock = listOf<Receipt>(toRlp, fromRlp);
  return tagged(
    0x10,
    "Receipts",
    listOf(
      (receipts) => ofBlock.toRlp(receipts),
      (item) => ofBlock.fromRlp(item, "Receipts"),
    ),
  );
}

/** State by hash, which only eth/66 has. */
export const getNodeData = tagged(0x0d, "GetNodeData", hashes);

export const nodeData = tagged(
  0x0e,
  "NodeData",
  listOf<Uint8Array>(
    (value) => value,
    (item) => new Fields("NodeData", [item]).bytes("value"),
  ),
);

/** The list of a receipt has four fields; the bloom is the third. */
function flatToRlp(receipt: Receipt): Rlp {
  const [outcome, gas, , logs] = listItems(receiptToRlp({ ...receipt, type: 0 }));
  return [scalarBytes(BigInt(receipt.type)), outcome, gas, logs] as readonly Rlp[];
}

function flatFromRlp(item: Rlp): Receipt {
  const fields = new Fields("receipt", item);
  const type = readType(fields.bytes("type"));
  const outcome = fields.item("status");
  const gas = fields.item("cumulativeGasUsed");
  const logs = fields.list("logs");
  fields.verifyEnd();
  const empty = bloomOfLogs([]);
  const receipt = receiptFromRlp([outcome, gas, empty, logs]);
  return { ...receipt, type, logsBloom: bloomOfLogs(receipt.logs as readonly Log[]) };
}

/** Some nodes encode the type 0 as a byte. */
function readType(bytes: Uint8Array): Receipt["type"] {
  const type = bytes.length === 0 ? 0 : (bytes[0] ?? 0);
  if (bytes.length > 1 || type > 4)
    throw new RlpError(`receipt.type: ${bytes.join()}, expected 0 to 4`);
  return type as Receipt["type"];
}

function listItems(item: Rlp): readonly Rlp[] {
  if (item instanceof Uint8Array) throw new RlpError("receipt: bytes, expected a list of fields");
  return item;
}
