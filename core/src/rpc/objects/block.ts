import { encodeBlock, type SealedBlock } from "../../blocks/block.js";
import { toHex } from "../../primitives/hex.js";
import { toQuantity } from "./quantity.js";
import { transactionObject } from "./transaction.js";

/** A block as callers see it, with its transactions or only their hashes. */
export function blockObject(
  block: SealedBlock,
  { totalDifficulty, verbose }: { readonly totalDifficulty: bigint; readonly verbose: boolean },
) {
  const { header, body } = block;
  const { baseFeePerGas, withdrawalsRoot } = header;
  return {
    number: toQuantity(header.number),
    hash: header.hash,
    mixHash: header.mixHash,
    parentHash: header.parentHash,
    nonce: toHex(header.nonce),
    sha3Uncles: header.unclesHash,
    logsBloom: toHex(header.logsBloom),
    transactionsRoot: header.transactionsRoot,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    miner: header.coinbase,
    difficulty: toQuantity(header.difficulty),
    totalDifficulty: toQuantity(totalDifficulty),
    extraData: toHex(header.extraData),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: toQuantity(baseFeePerGas) }),
    size: toQuantity(encodeBlock(block).length),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    uncles: [],
    transactions: body.transactions.map((transaction, index) =>
      verbose ? transactionObject(transaction, { header, index }) : transaction.hash,
    ),
    ...(withdrawalsRoot === undefined ? {} : { withdrawalsRoot, withdrawals: [] }),
  };
}
