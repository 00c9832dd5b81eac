import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { UpgradeTarget } from "@plinth/kit-http";

/** Passes handshakes of another listener to the WebSocket server, with all its checks. */
export class ServerTarget implements UpgradeTarget {
  #server: Server | undefined;

  open(server: Server): void {
    this.#server = server;
  }

  get isOpen(): boolean {
    return this.#server !== undefined;
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server?.emit("upgrade", request, socket, head);
  }
}
