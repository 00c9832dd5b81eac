import { MAX_JOBS } from "./messages.js";

/** Two numbers for each job of a thread, which both sides see at once. */
const PER_JOB = 2;

/** Whether jobs are to stop, and how much they have done, in memory that two threads share. */
export class JobFlags {
  readonly buffer: SharedArrayBuffer;
  readonly #numbers: Int32Array;

  constructor(buffer = new SharedArrayBuffer(MAX_JOBS * PER_JOB * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#numbers = new Int32Array(buffer);
  }

  /** A job begins. */
  reset(slot: number): void {
    Atomics.store(this.#numbers, slot * PER_JOB, 0);
    Atomics.store(this.#numbers, slot * PER_JOB + 1, 0);
  }

  cancel(slot: number): void {
    Atomics.store(this.#numbers, slot * PER_JOB, 1);
  }

  isCancelled(slot: number): boolean {
    return Atomics.load(this.#numbers, slot * PER_JOB) !== 0;
  }

  /** The job has gone on for some steps. */
  note(slot: number): void {
    Atomics.add(this.#numbers, slot * PER_JOB + 1, 1);
  }

  /** How often the job has said that it goes on. */
  workOf(slot: number): number {
    return Atomics.load(this.#numbers, slot * PER_JOB + 1);
  }
}
