import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { PlinthError } from "@plinth/core";

const HOST = "127.0.0.1";

/** Throws if a port is in use; `names` describes the purpose of each. */
export async function verifyFreePorts(names: ReadonlyMap<number, string>): Promise<void> {
  for (const [port, name] of names) {
    try {
      await close(await listen(port));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const reason = code === "EADDRINUSE" ? "is in use" : `cannot be used (${code})`;
      throw new PlinthError("PORT_IN_USE", {
        message: `port ${port} (${name}) ${reason}: stop what uses it, or choose other ports with --base-port`,
        port,
        cause: error,
      });
    }
  }
}

/** Distinct ports on which nothing listens. */
export async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = [];
  for (let index = 0; index < count; index++) servers.push(await listen(0));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map(close));
  return ports;
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, HOST);
  await once(server, "listening");
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}
