import type { Header } from "@plinth/core";

/** The least that a transaction costs, half of which may be given back before London. */
const TRANSACTION_GAS = 21_000 / 2;
/** The least that a byte of its input costs; bytes of a transaction beside its input. */
const GAS_PER_BYTE = 4;
const TRANSACTION_BYTES = 1_024;
/** A header, with seals, and what stands around a block. */
const HEADER_BYTES = 256 * 1024;
/** The gas limit may have grown since the head. */
const GROWTH = 2;

/** How many bytes a block near the head may have, by the gas that they cost. */
export function maxBlockBytes({ gasLimit }: Header): number {
  const gas = Number(gasLimit) * GROWTH;
  return HEADER_BYTES + gas / GAS_PER_BYTE + (gas / TRANSACTION_GAS) * TRANSACTION_BYTES;
}

/** How many transactions a block may have, by the gas that its header says they used. */
export function maxTransactions({ gasUsed }: Header): number {
  return Math.floor(Number(gasUsed) / TRANSACTION_GAS);
}
