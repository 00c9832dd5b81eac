import { type BlockReader, callGas, type SealedHeader } from "@plinth/core";

/** The gas that a simulated call gets in a block: what it asks for, up to the limits of fork and operator. */
export function gasFor(
  blocks: BlockReader,
  { wanted, header, cap }: { wanted: bigint | undefined; header: SealedHeader; cap: number },
): bigint {
  const fork = blocks.forkAt(header);
  return callGas(wanted ?? header.gasLimit, { fork, cap: BigInt(cap) });
}
