import type { Server, Socket } from "node:net";
import { clientKey, type TrustedProxies } from "./client-address.js";

/** The limit of connections per address. */
export interface AddressLimit {
  /** 0 for no limit. */
  readonly most: number;
  readonly proxies: TrustedProxies;
  onRefused(): void;
}

/**
 * Closes connections above the limit of their address at once; those of trusted proxies are
 * unlimited.
 */
export function limitAddresses(server: Server, { most, proxies, onRefused }: AddressLimit): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  // Before any other listener handles the connection.
  server.prependListener("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (proxies.has(remoteAddress)) return;
    const client = clientKey(remoteAddress);
    const count = open.get(client) ?? 0;
    if (count >= most) {
      onRefused();
      socket.destroy();
      return;
    }
    open.set(client, count + 1);
    socket.once("close", () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  });
}
