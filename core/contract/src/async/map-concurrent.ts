/** How far work may run ahead of the consumer of its results. */
export interface ConcurrencyLimits<R> {
  /** Maximum number of items in flight, including those with an unconsumed result. */
  readonly concurrency: number;
  /** No work starts while unconsumed results of this total weight are pending. */
  readonly maxWeight?: number;
  weightOf?(result: R): number;
}

/**
 * Maps every item concurrently and yields the results in item order.
 *
 * Items are read from the source only when work on them starts. The first failure ends the
 * iteration.
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
      // A failure is thrown when its result is consumed.
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
