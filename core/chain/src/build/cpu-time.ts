/**
 * Reading the CPU time takes a tenth of a millisecond, as long as a small transaction, so that a
 * reading is cached.
 */
const MAX_AGE_MS = 5;

/** The CPU time of this process. */
export class CpuTime {
  #ms = readMs();
  #readAt = performance.now();

  /** The time in milliseconds, as of a moment ago. */
  recentMs(): number {
    const now = performance.now();
    if (now - this.#readAt > MAX_AGE_MS) {
      this.#ms = readMs();
      this.#readAt = now;
    }
    return this.#ms;
  }

  /** The increase since an earlier reading. */
  sinceMs(before: number): number {
    return readMs() - before;
  }
}

function readMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
