import { MAX_JOBS } from "./messages.js";

/** Two numbers for each job of a thread, visible to both sides immediately. */
const PER_JOB = 2;

/** Stop flags and progress counters of jobs, in memory shared by two threads. */
export class JobFlags {
  readonly buffer: SharedArrayBuffer;
  readonly #numbers: Int32Array;

  constructor(buffer = new SharedArrayBuffer(MAX_JOBS * PER_JOB * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#numbers = new Int32Array(buffer);
  }

  /** A job starts. */
  reset(slot: number): void {
    Atomics.store(this.#numbers, slot * PER_JOB, 0);
    Atomics.store(this.#numbers, slot * PER_JOB + 1, 0);
  }

  cancel(slot: number): void {
    Atomics.store(this.#numbers, slot * PER_JOB, 1);
  }

  isCanceled(slot: number): boolean {
    return Atomics.load(this.#numbers, slot * PER_JOB) !== 0;
  }

  /** The job has progressed by some steps. */
  note(slot: number): void {
    Atomics.add(this.#numbers, slot * PER_JOB + 1, 1);
  }

  /** The progress counter of the job. */
  workOf(slot: number): number {
    return Atomics.load(this.#numbers, slot * PER_JOB + 1);
  }
}
