import type { PooledTransaction } from "./pooled-transaction.js";
import { tipOf } from "./prices.js";

/** The minimum price increase of a replacement, in percent. */
export interface PriceBumps {
  readonly gas: number;
  readonly blobGas: number;
}

type Offer = Pick<PooledTransaction, "maxFeePerGas" | "maxPriorityFeePerGas" | "transaction">;

/** Whether a transaction may replace another with its sender and nonce. */
export function canReplace(
  offer: Offer,
  old: Offer,
  { bumps, baseFee }: { readonly bumps: PriceBumps; readonly baseFee: bigint | undefined },
): boolean {
  if ((offer.transaction.type === 3) !== (old.transaction.type === 3)) return false;
  const { maxFeePerBlobGas = 0n } = offer.transaction;
  const { maxFeePerBlobGas: before = 0n } = old.transaction;
  const isBlobEnough =
    offer.transaction.type !== 3 || isBumped(maxFeePerBlobGas, before, bumps.blobGas);
  return isBlobEnough && paysMore(offer, old, bumps.gas, baseFee);
}

function paysMore(offer: Offer, old: Offer, bump: number, baseFee: bigint | undefined): boolean {
  const hasFeeMarket = offer.transaction.type >= 2 || old.transaction.type >= 2;
  if (!hasFeeMarket || baseFee === undefined) {
    return isBumped(offer.maxFeePerGas, old.maxFeePerGas, bump);
  }
  const [price, before] = [baseFee + tipOf(offer, baseFee), baseFee + tipOf(old, baseFee)];
  if (price !== before) return isBumped(price, before, bump);
  return isBumped(offer.maxPriorityFeePerGas, old.maxPriorityFeePerGas, bump);
}

function isBumped(price: bigint, before: bigint, percent: number): boolean {
  return price * 100n >= before * (100n + BigInt(percent));
}
