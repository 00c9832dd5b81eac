import { activities, type Occupation } from "./activity.js";

/** A period in which the event loop was blocked. */
export interface BlockedLoop {
  readonly ms: number;
  /** What took most of that time, if known. */
  readonly by: Occupation | undefined;
}

const INTERVAL_MS = 100;
/** Shorter blocks are not reported. */
const BLOCKED_MS = 500;

/** Reports when the event loop was blocked, until the returned function is called. */
export function watchEventLoop(report: (blocked: BlockedLoop) => void): () => void {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const ms = now - last - INTERVAL_MS;
    last = now;
    const longest = activities.turn();
    if (ms < BLOCKED_MS) return;
    report({ ms, by: longest !== undefined && longest.ms * 2 >= ms ? longest : undefined });
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
