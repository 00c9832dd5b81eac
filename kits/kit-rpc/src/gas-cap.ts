import type { BlockReader, SealedHeader } from "@plinth/core";
import { callGas, transactionGas } from "@plinth/core/query";

interface Wish {
  /** The gas limit of the block by default. */
  readonly wanted: bigint | undefined;
  readonly header: SealedHeader;
  /** The operator's limit; 0 lifts it. */
  readonly cap: number;
}

/** The gas of a simulated call on top of a block. */
export function gasOfCall({ wanted, header, cap }: Wish): bigint {
  return callGas(wanted ?? header.gasLimit, BigInt(cap));
}

/** The gas tried for a transaction on top of a block: no more than the chain allows. */
export function gasOfTransaction(blocks: BlockReader, { wanted, header, cap }: Wish): bigint {
  const most = blocks.maxTransactionGasAt(header);
  return transactionGas(wanted ?? header.gasLimit, { most, cap: BigInt(cap) });
}
