import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ephemeral port range, so that no connection takes a port before it is used. */
const FIRST = 10_000;
const PER_WORKER = 2000;
const WORKERS = 10;

/** Every test worker has separate ports; a second run starts elsewhere among them. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS;
let next = process.pid;

/** A free port, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  for (;;) {
    next += 1;
    const port = FIRST + worker * PER_WORKER + (next % PER_WORKER);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}
