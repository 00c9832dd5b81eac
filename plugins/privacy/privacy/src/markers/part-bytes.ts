/** Maximum bytes of payloads of a block held in memory, unless a single payload exceeds it. */
export const PART_BYTES: number = 8 * 1024 * 1024;
