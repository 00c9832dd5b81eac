import type { Server, Socket } from "node:net";

/** The connections of a server, limited per address. */
export class OpenConnections {
  readonly #ofAddress = new Map<string, Set<Socket>>();
  readonly #most: number;

  constructor(server: Server, mostOfAddress: number) {
    this.#most = mostOfAddress;
    server.on("connection", (socket: Socket) => this.#add(socket));
  }

  /** Closes all of them. */
  destroy(): void {
    for (const sockets of this.#ofAddress.values()) {
      for (const socket of sockets) socket.destroy();
    }
  }

  /** Closes a connection that exceeds the limit of its address. */
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
