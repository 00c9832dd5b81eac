/** Window of the hash rate. */
const WINDOW_MS = 10_000;

/** Measures the hash rate. */
export class HashMeter {
  #count = 0;
  #since = performance.now();

  add(): void {
    this.#count += 1;
  }

  /** Recent hashes per second; zero if the node does not mine. */
  rate(): bigint {
    const elapsed = performance.now() - this.#since;
    const rate = elapsed === 0 ? 0 : Math.round((this.#count * 1000) / elapsed);
    if (elapsed > WINDOW_MS) {
      this.#since = performance.now();
      this.#count = 0;
    }
    return BigInt(rate);
  }
}
