import type { SealedBlock } from "../../blocks/block.js";
import { effectiveGasPrice } from "../../blocks/effective-gas-price.js";
import type { Receipt } from "../../blocks/receipt.js";
import type { Transaction } from "../../blocks/transaction.js";
import { type Address, findBytes, toHex } from "../../primitives/hex.js";
import { keccak256 } from "../../primitives/keccak.js";
import { encodeRlp } from "../../primitives/rlp.js";
import { logObject } from "./log.js";
import { toQuantity } from "./quantity.js";

/** The receipt of one transaction of a block, as callers see it. */
export function receiptObject(block: SealedBlock, receipts: readonly Receipt[], index: number) {
  const transaction = block.body.transactions[index];
  const receipt = receipts[index];
  if (transaction === undefined || receipt === undefined) return null;
  const firstLog = receipts.slice(0, index).reduce((sum, { logs }) => sum + logs.length, 0);
  return describe(block, { transaction, receipt, index, firstLog });
}

/** The receipts of a block, as callers see them. */
export function receiptObjects(block: SealedBlock, receipts: readonly Receipt[]) {
  let firstLog = 0;
  return block.body.transactions.flatMap((transaction, index) => {
    const receipt = receipts[index];
    if (receipt === undefined) return [];
    const object = describe(block, { transaction, receipt, index, firstLog });
    firstLog += receipt.logs.length;
    return object;
  });
}

function describe(
  { header }: SealedBlock,
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
  return {
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
      logObject({
        log,
        header,
        transactionHash: transaction.hash,
        transactionIndex: index,
        logIndex: firstLog + offset,
        isRemoved: false,
      }),
    ),
    logsBloom: toHex(receipt.logsBloom),
    ...(receipt.status === undefined
      ? { root: receipt.postState }
      : { status: toQuantity(receipt.status) }),
    to: transaction.to ?? null,
    type: toQuantity(transaction.type),
  };
}

/** The address of the contract that a transaction creates: from its sender and nonce. */
function contractAddress({ sender, nonce }: Transaction): Address {
  const digits = nonce === 0n ? "" : nonce.toString(16);
  const number = findBytes(digits.length % 2 === 0 ? digits : `0${digits}`) ?? new Uint8Array();
  const hash = keccak256(encodeRlp([findBytes(sender) ?? new Uint8Array(), number]));
  return toHex(hash.slice(-20));
}
