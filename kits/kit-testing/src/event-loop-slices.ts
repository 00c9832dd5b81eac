/**
 * Runs some work and returns how long the event loop was blocked at a stretch, in milliseconds,
 * longest first.
 *
 * Other work of the process meanwhile is counted too.
 */
export async function measureSlices(work: () => Promise<void>): Promise<readonly number[]> {
  const slices: number[] = [];
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    slices.push(now - last);
    last = now;
    timer = setImmediate(tick);
  };
  let timer = setImmediate(tick);
  try {
    await work();
  } finally {
    clearImmediate(timer);
    slices.push(performance.now() - last);
  }
  return slices.sort((a, b) => b - a);
}

/**
 * How long a message of others may block the event loop: strict on a quiet machine, with tolerance
 * otherwise.
 */
export const MAX_SLICE_MS = process.env.PLINTH_STRICT === "1" ? 50 : 400;
