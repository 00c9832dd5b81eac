import type { Runtime } from "@plinth/core";

interface Reply {
  hijack(): unknown;
  readonly raw: {
    writeHead(status: number): { end(body: string): unknown };
  };
}

/** Up while the listener answers. */
export function answerLiveness(reply: Reply): void {
  answer(reply, true);
}

/** Up when no check is down and the probe's own limits are readable. */
export async function answerReadiness(
  request: { readonly query: unknown },
  reply: Reply,
  health: Runtime["health"],
): Promise<void> {
  const limits = request.query as Readonly<Record<string, string | undefined>>;
  const readable = [limits.minPeers, limits.maxBlocksBehind].every(
    (limit) => limit === undefined || /^\d+$/.test(limit),
  );
  const { status } = await health.report();
  answer(reply, readable && status !== "down");
}

function answer(reply: Reply, up: boolean): void {
  reply.hijack();
  reply.raw.writeHead(up ? 200 : 503).end(`{\n  "status" : "${up ? "UP" : "DOWN"}"\n}`);
}
