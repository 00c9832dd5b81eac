/** Reading it takes a tenth of a millisecond, as long as a small transaction, so that a reading serves for a while. */
const MAX_AGE_MS = 5;

/** How long processors have worked for this process. */
export class CpuTime {
  #ms = readMs();
  #readAt = performance.now();

  /** The time in milliseconds, as it was a moment ago. */
  recentMs(): number {
    const now = performance.now();
    if (now - this.#readAt > MAX_AGE_MS) {
      this.#ms = readMs();
      this.#readAt = now;
    }
    return this.#ms;
  }

  /** How much it is more than it was. */
  sinceMs(before: number): number {
    return readMs() - before;
  }
}

function readMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
