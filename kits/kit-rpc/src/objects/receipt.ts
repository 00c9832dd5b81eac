import {
  type Compatibility,
  type Hash,
  type Hex,
  type Receipt,
  type SealedBlock,
  type Transaction,
  toHex,
  toQuantity,
} from "@plinth/core";
import { contractAddress, effectiveGasPrice } from "@plinth/core/blocks";
import { logObject } from "./log.js";

/** A block, its receipts, its blob gas price, and the compatibility mode of the caller. */
export interface BlockReceipts {
  readonly block: SealedBlock;
  readonly receipts: readonly Receipt[];
  readonly blobFee: bigint | undefined;
  readonly compatibility: Compatibility;
  /** Where revert reasons are stored; nowhere by default. */
  readonly reasons?: { find(block: Hash, index: number): Hex | undefined };
}

/** EIP-4844: blob gas per blob. */
const GAS_PER_BLOB = 131_072n;

/** The receipt of one transaction of a block, as callers see it. */
export function receiptObject(of: BlockReceipts, index: number) {
  const { block, receipts } = of;
  const transaction = block.body.transactions[index];
  const receipt = receipts[index];
  if (transaction === undefined || receipt === undefined) return null;
  const firstLog = receipts.slice(0, index).reduce((sum, { logs }) => sum + logs.length, 0);
  return describe(of, { transaction, receipt, index, firstLog });
}

/** The receipts of a block, as callers see them. */
export function receiptObjects(of: BlockReceipts) {
  const { block, receipts } = of;
  let firstLog = 0;
  return block.body.transactions.flatMap((transaction, index) => {
    const receipt = receipts[index];
    if (receipt === undefined) return [];
    const object = describe(of, { transaction, receipt, index, firstLog });
    firstLog += receipt.logs.length;
    return object;
  });
}

function describe(
  { block: { header }, blobFee, compatibility, reasons }: BlockReceipts,
  {
    transaction,
    receipt,
    index,
    firstLog,
  }: {
    readonly transaction: Transaction;
    readonly receipt: Receipt;
    readonly index: number;
    readonly firstLog: number;
  },
) {
  const revertReason = receipt.status === 0 ? reasons?.find(header.hash, index) : undefined;
  return {
    ...(revertReason === undefined ? {} : { revertReason }),
    blockHash: header.hash,
    blockNumber: toQuantity(header.number),
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(index),
    contractAddress: transaction.to === undefined ? contractAddress(transaction) : null,
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    from: transaction.sender,
    gasUsed: toQuantity(receipt.gasUsed ?? 0n),
    effectiveGasPrice: toQuantity(effectiveGasPrice(transaction, header.baseFeePerGas)),
    logs: receipt.logs.map((log, offset) =>
      logObject(
        {
          log,
          header,
          transactionHash: transaction.hash,
          transactionIndex: index,
          logIndex: firstLog + offset,
          isRemoved: false,
        },
        compatibility,
      ),
    ),
    logsBloom: toHex(receipt.logsBloom),
    ...(receipt.status === undefined
      ? { root: receipt.postState }
      : { status: toQuantity(receipt.status) }),
    to: transaction.to ?? null,
    type: toQuantity(transaction.type),
    ...(transaction.type === 3 && blobFee !== undefined
      ? {
          blobGasUsed: toQuantity(BigInt(transaction.blobVersionedHashes.length) * GAS_PER_BLOB),
          blobGasPrice: toQuantity(blobFee),
        }
      : {}),
  };
}
