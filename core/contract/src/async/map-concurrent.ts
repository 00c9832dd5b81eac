/** How far work may run ahead of the consumer of its results. */
export interface ConcurrencyLimits<R> {
  /** Items at a time, with those whose results wait to be taken. */
  readonly concurrency: number;
  /** No work is begun while results of this weight wait to be taken. */
  readonly maxWeight?: number;
  weightOf?(result: R): number;
}

/**
 * Does a piece of work for every item, several at a time, and yields the results in the order of the items.
 *
 * Items are taken from the source only as work on them begins. The first failure ends it.
 */
export async function* mapConcurrent<T, R>(
  source: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<R>,
  { concurrency, maxWeight = Number.POSITIVE_INFINITY, weightOf = () => 0 }: ConcurrencyLimits<R>,
): AsyncGenerator<R> {
  const items = toAsync(source);
  const underWay: Promise<R>[] = [];
  let weight = 0;
  let isExhausted = false;
  const begin = async () => {
    while (!isExhausted && underWay.length < concurrency && weight < maxWeight) {
      const next = await items.next();
      if (next.done) {
        isExhausted = true;
        return;
      }
      const result = work(next.value).then((value) => {
        weight += weightOf(value);
        return value;
      });
      // A failure is thrown where its result is taken.
      result.catch(() => {});
      underWay.push(result);
    }
  };
  try {
    for (;;) {
      await begin();
      const first = underWay.shift();
      if (first === undefined) return;
      const result = await first;
      weight -= weightOf(result);
      yield result;
    }
  } finally {
    await items.return?.(undefined);
  }
}

function toAsync<T>(source: AsyncIterable<T> | Iterable<T>): AsyncIterator<T> {
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  const items = source[Symbol.iterator]();
  return {
    next: async () => items.next(),
    return: async () => items.return?.() ?? { done: true, value: undefined },
  };
}
