/** The permission that readers of the stream need, if a listener requires tokens. */
export const PERMISSION = "changes:read";
