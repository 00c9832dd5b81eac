import type { Header, Transaction } from "@plinth/core";
import { InvalidBlock } from "@plinth/core";
import type { ForkSchedule } from "@plinth/core/rules";
import { blobBaseFee, GAS_PER_BLOB, nextExcessBlobGas } from "@plinth/core/rules";

/** The blob gas of a transaction. */
export function blobGasOf({ blobVersionedHashes }: Transaction): bigint {
  return BigInt(blobVersionedHashes.length) * GAS_PER_BLOB;
}

/**
 * The blob base fee of a block; `undefined` before blobs. Without the field, as on BFT chains, the
 * excess is zero.
 */
export function blobFeeOf(header: Header, forks: ForkSchedule): bigint | undefined {
  const rules = forks.blobsAt(header);
  if (rules === undefined) return undefined;
  return forks.rules.baseFee === "zero" ? 0n : blobBaseFee(header.excessBlobGas ?? 0n, rules);
}

/**
 * Throws unless a header's excess blob gas follows from its parent (EIP-4844); a header may have
 * none.
 */
export function verifyExcessBlobGas(header: Header, parent: Header, forks: ForkSchedule): void {
  if (header.excessBlobGas === undefined) return;
  const right = nextExcessBlobGas(parent, forks.blobsAt(header));
  if (header.excessBlobGas === right) return;
  throw new InvalidBlock(
    "excess-blob-gas",
    `block ${header.number}: excessBlobGas is ${header.excessBlobGas}, expected ${right}`,
  );
}
