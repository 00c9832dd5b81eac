/** How long one step of starting or stopping may take. */
export const PHASE_LIMIT_MS = 30_000;
