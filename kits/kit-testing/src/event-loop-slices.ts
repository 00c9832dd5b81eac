const IS_STRICT = process.env.PLINTH_STRICT === "1";

/**
 * Runs some work and returns how long the event loop was blocked at a stretch, in milliseconds,
 * longest first.
 *
 * Other work of the process meanwhile is counted too. Unless it is strict, time in which other
 * processes had the processor is not.
 */
export async function measureSlices(work: () => Promise<void>): Promise<readonly number[]> {
  const slices: number[] = [];
  let last = readClocks();
  const measure = () => {
    const now = readClocks();
    const elapsed = now.wallMs - last.wallMs;
    slices.push(IS_STRICT ? elapsed : Math.min(elapsed, now.processorMs - last.processorMs));
    last = now;
  };
  const tick = () => {
    measure();
    timer = setImmediate(tick);
  };
  let timer = setImmediate(tick);
  try {
    await work();
  } finally {
    clearImmediate(timer);
    measure();
  }
  return slices.sort((a, b) => b - a);
}

function readClocks(): { readonly wallMs: number; readonly processorMs: number } {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), processorMs: (user + system) / 1000 };
}

/**
 * How long a message of others may block the event loop: strict on a quiet machine, with tolerance
 * otherwise.
 */
export const MAX_SLICE_MS = IS_STRICT ? 50 : 400;
