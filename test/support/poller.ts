import { Agent } from "node:http";
import { sendHttp } from "@plinth/testing";

/** The experience of a polling caller while others misbehaved. */
export interface Poll {
  readonly answers: number;
  readonly slowestMs: number;
}

/** Its request. */
export interface Question {
  readonly name: string;
  readonly params?: readonly unknown[];
}

const PAUSE_MS = 50;
const WARM_UP = 10;

/**
 * Polls every 50 ms beside some work, over a separate connection; rejects if a response is an
 * error.
 */
export async function pollDuring(
  url: string,
  work: () => Promise<void>,
  question: Question = { name: "eth_blockNumber" },
): Promise<Poll> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // Its calls are known to be small before the work starts.
  for (let round = 0; round < WARM_UP; round++) await ask(url, question, agent);
  let isOver = false;
  const polling = (async () => {
    let [answers, slowestMs] = [0, 0];
    while (!isOver) {
      const start = performance.now();
      await ask(url, question, agent);
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
  try {
    return await polling;
  } finally {
    agent.destroy();
  }
}

async function ask(url: string, { name, params = [] }: Question, agent: Agent): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params });
  const port = Number(new URL(url).port);
  const { text } = await sendHttp({ port, body, agent });
  const { error } = JSON.parse(text);
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
}

/** Resolves when the result is not `undefined`; polls every 20 ms, and gives up after 30 s. */
export async function until<T>(look: () => Promise<T | undefined>, limitMs = 30_000): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`nothing found within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
