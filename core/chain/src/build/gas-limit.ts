/** A block changes the gas limit by less than this fraction of its parent's. */
const SHARE = 1024n;

/** The next gas limit on the way from the parent's to a target; the parent's without a target. */
export function approachGasLimit(from: bigint, target: bigint | undefined): bigint {
  if (target === undefined || target === from) return from;
  const most = from / SHARE - 1n;
  if (most <= 0n) return from;
  const wanted = target > from ? target - from : from - target;
  const step = wanted < most ? wanted : most;
  return target > from ? from + step : from - step;
}
