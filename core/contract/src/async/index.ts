export { type ConcurrencyLimits, mapConcurrent } from "./map-concurrent.js";
export { Mutex } from "./mutex.js";
export { Semaphore } from "./semaphore.js";
export { Signal, type WaitLimits } from "./signal.js";
export { runInTurns, runSteps, type Steps, type TurnSettings } from "./steps.js";
export { type Lane, MAX_BUSY_MS } from "./yield-to-loop.js";
