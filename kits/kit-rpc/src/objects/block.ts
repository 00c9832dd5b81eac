import {
  type Compatibility,
  encodeBlock,
  keccakHeader,
  type SealedBlock,
  toHex,
  toQuantity,
} from "@plinth/core";
import type { Withdrawal } from "@plinth/core/blocks";
import { differencesOf } from "../differences.js";
import { transactionObject } from "./transaction.js";

/** A block as callers see it, with its transactions or only their hashes. */
export function blockObject(
  block: SealedBlock,
  {
    totalDifficulty,
    verbose,
    compatibility,
  }: {
    readonly totalDifficulty: bigint;
    readonly verbose: boolean;
    readonly compatibility: Compatibility;
  },
) {
  const { header, body } = block;
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas } = header;
  const { parentBeaconBlockRoot, requestsHash } = header;
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
    ...(differencesOf(compatibility).showsTotalDifficulty
      ? { totalDifficulty: toQuantity(totalDifficulty) }
      : {}),
    extraData: toHex(header.extraData),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: toQuantity(baseFeePerGas) }),
    size: toQuantity(encodeBlock(block).length),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    // Uncles exist only with proof of work, whose block hash is the plain header hash.
    uncles: body.uncles.map((uncle) => keccakHeader(uncle)),
    transactions: body.transactions.map((transaction, index) =>
      verbose
        ? transactionObject(transaction, { at: { header, index }, compatibility })
        : transaction.hash,
    ),
    ...(withdrawalsRoot === undefined
      ? {}
      : { withdrawalsRoot, withdrawals: (body.withdrawals ?? []).map(withdrawalObject) }),
    ...(blobGasUsed === undefined ? {} : { blobGasUsed: toQuantity(blobGasUsed) }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas: toQuantity(excessBlobGas) }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
    ...(requestsHash === undefined ? {} : { requestsHash }),
  };
}

function withdrawalObject({ index, validatorIndex, address, amountGwei }: Withdrawal) {
  return {
    index: toQuantity(index),
    validatorIndex: toQuantity(validatorIndex),
    address,
    amount: toQuantity(amountGwei),
  };
}
