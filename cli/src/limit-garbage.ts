import { setFlagsFromString } from "node:v8";

/**
 * Lets garbage grow to half of the live heap before it is collected.
 *
 * By default V8 waits until the heap is four times as large, and the memory of a node that produces
 * blocks for days varies by a hundred MiB. Measured over 20,000 blocks this costs no speed.
 */
export function limitGarbage(): void {
  setFlagsFromString("--heap-growing-percent=50");
}
