/** Maximum size of a response; one that is larger by one item is possible. */
const MAX_BYTES = 2 * 2 ** 20;
/** Maximum number of codes, nodes or accounts with storage that a request reads. */
export const MAX_LOOKUPS = 1024;
/** Maximum time of a request; what was read by then is sent. */
const MAX_MS = 5000;

/** The size that a response may have. */
export function responseBytes(requested: bigint): number {
  return requested > BigInt(MAX_BYTES) ? MAX_BYTES : Number(requested);
}

/** Returns whether the time of a request that starts now is over. */
export function startTime(): () => boolean {
  const end = performance.now() + MAX_MS;
  return () => performance.now() > end;
}
