/** Maximum number of entries of a response, regardless of the requested limit. */
const MAX_ENTRIES = 10_000;

/** The first entries, and the one after them. */
export function takePage<T>(
  entries: Iterable<T>,
  limit: number,
): { readonly page: readonly T[]; readonly next: T | undefined } {
  const most = Math.min(limit, MAX_ENTRIES);
  const page: T[] = [];
  for (const entry of entries) {
    if (page.length === most) return { page, next: entry };
    page.push(entry);
  }
  return { page, next: undefined };
}
