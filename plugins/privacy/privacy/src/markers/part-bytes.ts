/** What the payloads of a block may take that are held at a time, where they are more than one. */
export const PART_BYTES: number = 8 * 1024 * 1024;
