/** The node's clock; tests replace it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after that many milliseconds; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** Maximum delay of a Node.js timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleepOn(systemClock, ms, signal),
  after(ms, callback) {
    // Node.js fires immediately for longer delays.
    if (ms <= MAX_TIMER_MS) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    }
    let cancel = systemClock.after(MAX_TIMER_MS, () => {
      cancel = systemClock.after(ms - MAX_TIMER_MS, callback);
    });
    return () => cancel();
  },
};

/** `sleep` implemented with a clock's `after`. */
export function sleepOn(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The outcome of work with a time limit. */
export type WithinLimit<T> = { readonly done: true; readonly value: T } | { readonly done: false };

/** Waits for work, but no longer than the limit. */
export async function within<T>(
  clock: Clock,
  limitMs: number,
  work: Promise<T>,
): Promise<WithinLimit<T>> {
  const giveUp = new AbortController();
  const tooLate = clock.sleep(limitMs, giveUp.signal).then(
    () => ({ done: false }) as const,
    () => ({ done: false }) as const,
  );
  try {
    return await Promise.race([work.then((value) => ({ done: true, value }) as const), tooLate]);
  } finally {
    giveUp.abort();
  }
}
