import { call } from "./program.js";

/** How a caller fared that asked again and again while others misbehaved. */
export interface Poll {
  readonly answers: number;
  readonly slowestMs: number;
}

const PAUSE_MS = 50;

/** Asks a method every 50 ms beside some work; rejects when an answer is an error. */
export async function pollDuring(
  url: string,
  work: () => Promise<void>,
  method: { readonly name: string; readonly params?: readonly unknown[] } = {
    name: "eth_blockNumber",
  },
): Promise<Poll> {
  let isOver = false;
  const polling = (async () => {
    let [answers, slowestMs] = [0, 0];
    while (!isOver) {
      const start = performance.now();
      await call(url, method.name, method.params ?? []);
      slowestMs = Math.max(slowestMs, performance.now() - start);
      answers += 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return { answers, slowestMs };
  })();
  try {
    await work();
  } finally {
    isOver = true;
  }
  return polling;
}

/** Resolves when the answer is no longer `undefined`; asks every 20 ms, and gives up after 30 s. */
export async function until<T>(look: () => Promise<T | undefined>, limitMs = 30_000): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`nothing found within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
