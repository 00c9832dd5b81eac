/** The size of the rows that are committed together while the relay is behind. */
export const BATCH_BYTES = 4 * 1024 * 1024;
