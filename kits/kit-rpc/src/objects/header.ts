import { type SealedHeader, toHex, toQuantity } from "@plinth/core";

/** A header as callers see it: a block without its body, size and total difficulty. */
export function headerObject(header: SealedHeader) {
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
    extraData: toHex(header.extraData),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: toQuantity(baseFeePerGas) }),
    ...(withdrawalsRoot === undefined ? {} : { withdrawalsRoot }),
    ...(blobGasUsed === undefined ? {} : { blobGasUsed: toQuantity(blobGasUsed) }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas: toQuantity(excessBlobGas) }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
    ...(requestsHash === undefined ? {} : { requestsHash }),
  };
}
