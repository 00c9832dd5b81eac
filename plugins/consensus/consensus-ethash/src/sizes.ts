/** Number of blocks that share one cache. */
export const EPOCH_BLOCKS = 30_000n;
/** Size in bytes of one item of the cache and of the dataset. */
export const ITEM_BYTES = 64;
/** Number of bytes that the hash reads from the dataset at once. */
export const ROW_BYTES = 128;

const CACHE_BYTES = 2 ** 24;
const CACHE_GROWTH = 2 ** 17;
const DATASET_BYTES = 2 ** 30;
const DATASET_GROWTH = 2 ** 23;

/**
 * Cache size of an epoch in bytes: the largest size below its bound with a prime number of items.
 */
export function cacheSize(epoch: number): number {
  return largestPrimeSize(CACHE_BYTES + CACHE_GROWTH * epoch, ITEM_BYTES);
}

/** Dataset size of an epoch in bytes, chosen likewise by rows. */
export function datasetSize(epoch: number): number {
  return largestPrimeSize(DATASET_BYTES + DATASET_GROWTH * epoch, ROW_BYTES);
}

function largestPrimeSize(bound: number, unit: number): number {
  let count = bound / unit - 1;
  while (!isPrime(count)) count -= 2;
  return count * unit;
}

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor++) {
    if (value % divisor === 0) return false;
  }
  return true;
}
