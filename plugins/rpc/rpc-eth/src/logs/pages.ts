const PAGE_BYTES = 64 * 1024;
/** How many unused pages are kept. */
const MAX_FREE = 16;

const free: Buffer[] = [];

/**
 * Memory for at least this many bytes, which still has what was last written to it.
 *
 * The memory of long responses would soon be garbage outside of the heap, for which V8 collects the whole heap.
 */
export function takePage(bytes: number): Buffer {
  const page = bytes <= PAGE_BYTES ? free.pop() : undefined;
  return page ?? Buffer.allocUnsafeSlow(Math.max(bytes, PAGE_BYTES));
}

/** Gives a page back that nothing refers to anymore. */
export function giveBackPage(page: Buffer): void {
  if (page.length === PAGE_BYTES && free.length < MAX_FREE) free.push(page);
}
