import {
  decodeRlp,
  type Hash,
  hexToBytes,
  type Rlp,
  RlpError,
  type Transaction,
} from "@plinth/core";
import { Fields, scalarBytes, transactionFromRlp, transactionToRlp } from "@plinth/core/blocks";
import { hashes, listOf, type MessageCodec, notice, tagged } from "./message.js";

/** An announced transaction. */
export interface TransactionAnnouncement {
  readonly hash: Hash;
  /** From eth/68 on. */
  readonly type?: number;
  readonly size?: number;
}

const FIRST_TYPED = 68;
/** First byte of a list, i.e. of a legacy transaction. */
const LIST_PREFIX = 0xc0;

export const transactions = notice(
  0x02,
  "Transactions",
  listOf<Transaction>(transactionToRlp, (item) => transactionFromRlp(item)),
);

export const getPooledTransactions = tagged(0x09, "GetPooledTransactions", hashes);

/** Each as its bytes: a legacy transaction is a list, any other a string. */
export const pooledTransactions = tagged(
  0x0a,
  "PooledTransactions",
  listOf<Rlp>(
    (item) => item,
    (item) => item,
  ),
);

/** Announcements: hashes only, or with types and sizes from eth/68 on. */
export function announcementCodec(
  version: number,
): MessageCodec<readonly TransactionAnnouncement[]> {
  const form =
    version >= FIRST_TYPED
      ? { toRlp: typedToRlp, fromRlp: typedFromRlp }
      : {
          toRlp: (items: readonly TransactionAnnouncement[]) =>
            hashes.toRlp(items.map(({ hash }) => hash)),
          fromRlp: (item: Rlp, name: string) =>
            hashes.fromRlp(item, name).map((hash) => ({ hash })),
        };
  return notice(0x08, "NewPooledTransactionHashes", form);
}

/** The bytes of a pooled transaction in the form of the pool. */
export function bytesOfPooled(item: Rlp): Uint8Array {
  return item instanceof Uint8Array ? item : transactionFromRlp(item).raw;
}

/**
 * The bytes of a transaction from its item in a message; copied, since a view would keep the whole
 * message in memory.
 */
export function rawOfSent(item: Uint8Array): Uint8Array {
  if ((item[0] ?? 0) >= LIST_PREFIX) return item.slice();
  const raw = decodeRlp(item);
  if (raw instanceof Uint8Array) return raw.slice();
  throw new RlpError("transaction: a list, expected bytes");
}

/** The item for the bytes of a pool transaction. */
export function pooledFromBytes(transaction: Transaction, networkForm: Uint8Array): Rlp {
  return (networkForm[0] ?? 0) >= LIST_PREFIX ? transactionToRlp(transaction) : networkForm;
}

function typedToRlp(items: readonly TransactionAnnouncement[]): Rlp {
  return [
    Uint8Array.from(items, ({ type = 0 }) => type),
    items.map(({ size = 0 }) => scalarBytes(BigInt(size))),
    items.map(({ hash }) => hexToBytes(hash)),
  ];
}

function typedFromRlp(item: Rlp): readonly TransactionAnnouncement[] {
  const name = "NewPooledTransactionHashes";
  const fields = new Fields(name, item);
  const types = fields.bytes("types");
  const sizes = fields.list("sizes");
  const announced = fields.hashes("hashes");
  fields.verifyEnd();
  if (types.length !== announced.length || sizes.length !== announced.length) {
    throw new RlpError(
      `${name}: ${types.length} types and ${sizes.length} sizes for ${announced.length} hashes`,
    );
  }
  const read = new Fields(`${name}.sizes`, sizes);
  return announced.map((hash, index) => ({
    hash,
    type: types[index] as number,
    size: Number(read.uint64(String(index))),
  }));
}
