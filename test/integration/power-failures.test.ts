import type { SyncMode } from "@plinth/core/storage";
import { describe, expect, it } from "vitest";
import { aTransfer, type PoolNode, senderOf, startPoolNode } from "../support/pool-node.js";
import { createPowerFailingStore, type PowerFailingStore } from "../support/power-failing-store.js";
import { report } from "../support/report.js";

/** `npm run long -- damage` cuts the power two hundred times. */
const FAILURES = Number(process.env.PLINTH_POWER_FAILURES ?? 6);
const FAILURES_OF_A_CHAIN = 20;
const MAX_WORK_MS = 150;
/** What `--sync-writes=grouped` may lose. */
const GROUP_MS = 50;

/** Something acknowledged to a caller. */
interface Acknowledged {
  readonly hash: string;
  readonly kind: "block" | "transaction";
  readonly at: number;
}

describe("a node whose power fails", () => {
  it.each([
    ["always", 0],
    ["grouped", GROUP_MS],
    ["none", Number.POSITIVE_INFINITY],
  ] as const)(
    `with --sync-writes=%s loses at most what was acknowledged within %d ms, ${FAILURES} times`,
    { timeout: 10_000 + FAILURES * 3_000 },
    async (mode, windowMs) => {
      let store = await createPowerFailingStore();
      const figures = { acknowledged: 0, lost: 0, oldestLostMs: 0 };
      for (let failure = 0; failure < FAILURES; failure++) {
        // The whole chain is verified each time, so that a long one takes long.
        if (failure % FAILURES_OF_A_CHAIN === 0) store = await createPowerFailingStore();
        const { acknowledged, failedAt, stalledMs } = await workUntilFailure(store, mode);
        await store.revive();
        const node = await startPoolNode({ store });
        expect(problemsOf(node)).toEqual([]);
        const lost = acknowledged.filter((item) => !isThere(node, item));
        for (const { at } of lost) {
          const age = failedAt - at;
          figures.oldestLostMs = Math.max(figures.oldestLostMs, Math.round(age));
          // A timer cannot fire while the thread is busy.
          expect(age).toBeLessThanOrEqual(windowMs + stalledMs);
        }
        if (mode === "always") expect(lost).toEqual([]);
        figures.acknowledged += acknowledged.length;
        figures.lost += lost.length;
        await node.stop();
      }
      report(`power failures with ${mode}`, figures);
      expect(figures.acknowledged).toBeGreaterThan(FAILURES);
    },
  );
});

/** Sends transactions and produces blocks until the power fails. */
async function workUntilFailure(store: PowerFailingStore, mode: SyncMode) {
  const node = await startPoolNode({ store, options: { syncWrites: mode } });
  const acknowledged: Acknowledged[] = [];
  const stalls = watchStalls();
  let failedAt = Number.POSITIVE_INFINITY;
  let stalledMs = 0;
  setTimeout(() => {
    store.fail(Math.random);
    failedAt = performance.now();
    stalledMs = stalls.end();
  }, Math.random() * MAX_WORK_MS);
  const sender = senderOf(0);
  while (failedAt === Number.POSITIVE_INFINITY) {
    try {
      const nonce = node.pool.nextNonce(sender);
      const { hash } = await node.pool.submit(aTransfer({ nonce }, sender), { sender });
      acknowledged.push({ hash, kind: "transaction", at: performance.now() });
      const block = await node.mine();
      acknowledged.push({ hash: block.hash, kind: "block", at: performance.now() });
    } catch (error) {
      if (failedAt === Number.POSITIVE_INFINITY) throw error;
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  await node.stop().catch(() => {});
  const before = acknowledged.filter(({ at }) => at <= failedAt);
  return { acknowledged: before, failedAt, stalledMs };
}

/**
 * Measures how long the event loop was blocked, from now on and not from the first tick on.
 *
 * The two longest times count: one may delay the timer of a group and another the end of its sync.
 */
function watchStalls() {
  const gaps: number[] = [];
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    gaps.push(now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  return {
    end(): number {
      clearInterval(timer);
      tick();
      const [first = 0, second = 0] = gaps.sort((a, b) => b - a);
      return first + second;
    },
  };
}

function isThere({ blocks, pool }: PoolNode, { hash, kind }: Acknowledged): boolean {
  if (kind === "block") return blocks.findBlock(hash as `0x${string}`) !== undefined;
  return (
    pool.find(hash as `0x${string}`) !== undefined ||
    blocks.findTransaction(hash as `0x${string}`) !== undefined
  );
}

function problemsOf({ blocks }: PoolNode): readonly unknown[] {
  return [...blocks.verifyBlocks(), ...blocks.verifyState()].flatMap(({ problems }) => problems);
}
