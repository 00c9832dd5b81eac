/** Work that is older does not tell how fast the machine is now. */
const WINDOW_MS = 10_000;

/** Counts hashes, to tell how many there are in a second. */
export class HashMeter {
  #count = 0;
  #since = performance.now();

  add(): void {
    this.#count += 1;
  }

  /** Hashes per second, lately; zero when nobody mines. */
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
