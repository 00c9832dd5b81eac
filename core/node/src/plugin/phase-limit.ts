/** Time limit of one step of starting or stopping. */
export const PHASE_LIMIT_MS = 30_000;
