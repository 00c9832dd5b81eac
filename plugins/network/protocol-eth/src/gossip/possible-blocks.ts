import type { Header } from "@plinth/core";

/** The minimum cost of a transaction, half of which may be refunded before London. */
const TRANSACTION_GAS = 21_000 / 2;
/** The minimum cost of an input byte; bytes of a transaction besides its input. */
const GAS_PER_BYTE = 4;
const TRANSACTION_BYTES = 1_024;
/** Size of a header with seals, and of the block envelope. */
const HEADER_BYTES = 256 * 1024;
/** The gas limit may have grown since the head. */
const GROWTH = 2;

/** Maximum size of a block near the head, derived from the gas cost of its bytes. */
export function maxBlockBytes({ gasLimit }: Header): number {
  const gas = Number(gasLimit) * GROWTH;
  return HEADER_BYTES + gas / GAS_PER_BYTE + (gas / TRANSACTION_GAS) * TRANSACTION_BYTES;
}

/** Maximum number of transactions of a block, derived from the gas used in its header. */
export function maxTransactions({ gasUsed }: Header): number {
  return Math.floor(Number(gasUsed) / TRANSACTION_GAS);
}
