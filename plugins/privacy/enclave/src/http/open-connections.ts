import type { Server, Socket } from "node:net";

/** The connections of a server, of which one address may have so many. */
export class OpenConnections {
  readonly #ofAddress = new Map<string, Set<Socket>>();
  readonly #most: number;

  constructor(server: Server, mostOfAddress: number) {
    this.#most = mostOfAddress;
    server.on("connection", (socket: Socket) => this.#add(socket));
  }

  /** Ends all of them. */
  destroy(): void {
    for (const sockets of this.#ofAddress.values()) {
      for (const socket of sockets) socket.destroy();
    }
  }

  /** Ends a connection that is one too many of its address. */
  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const sockets = this.#ofAddress.get(address) ?? new Set();
    if (sockets.size >= this.#most) {
      socket.destroy();
      return;
    }
    this.#ofAddress.set(address, sockets.add(socket));
    socket.once("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) this.#ofAddress.delete(address);
    });
  }
}
