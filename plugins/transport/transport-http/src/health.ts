import type { Runtime } from "@plinth/core";

interface Reply {
  hijack(): unknown;
  readonly raw: {
    writeHead(status: number): { end(body: string): unknown };
  };
}

/** Up while the listener responds. */
export function answerLiveness(reply: Reply): void {
  answer(reply, true);
}

/** What readiness depends on. */
export type ReadyParts = Pick<Runtime, "health" | "network" | "sync">;

const USUAL_MIN_PEERS = 1;
const USUAL_MAX_BEHIND = 2;

/**
 * Up if no check is down, there are enough peers, and the node is not too many blocks behind them.
 */
export async function answerReadiness(
  request: { readonly query: unknown },
  reply: Reply,
  parts: ReadyParts,
): Promise<void> {
  const limits = request.query as Readonly<Record<string, string | undefined>>;
  const readable = [limits.minPeers, limits.maxBlocksBehind].every(
    (limit) => limit === undefined || /^\d+$/.test(limit),
  );
  const { status } = await parts.health.report();
  const isReady =
    readable && hasPeers(parts, limits.minPeers) && isClose(parts, limits.maxBlocksBehind);
  answer(reply, isReady && status !== "down");
}

function hasPeers({ network }: ReadyParts, limit: string | undefined): boolean {
  if (!network.isEnabled) return true;
  return network.peers().length >= Number(limit ?? USUAL_MIN_PEERS);
}

function isClose({ sync }: ReadyParts, limit: string | undefined): boolean {
  const { progress } = sync;
  if (progress?.syncing !== true) return true;
  return progress.highest - progress.current <= BigInt(limit ?? USUAL_MAX_BEHIND);
}

function answer(reply: Reply, up: boolean): void {
  reply.hijack();
  reply.raw.writeHead(up ? 200 : 503).end(`{\n  "status" : "${up ? "UP" : "DOWN"}"\n}`);
}
