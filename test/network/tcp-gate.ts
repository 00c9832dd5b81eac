import type { AddressInfo } from "node:net";
import { createServer, connect as dial, type Server, type Socket } from "node:net";

/**
 * Forwards TCP connections to a port until it is closed: then bytes are silently lost, as behind a
 * cut cable.
 */
export class TcpGate implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isOpen = true;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Receives the traffic in both directions. */
  carried: (bytes: Uint8Array) => void = () => {};

  static async to(port: number): Promise<TcpGate> {
    const server = createServer({ pauseOnConnect: true });
    const gate = new TcpGate(server);
    server.on("connection", (socket) => gate.#pass(socket, port));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return gate;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections stay open, but transfer nothing. */
  close(): void {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Lost bytes stay lost: connections from before have ended. */
  open(): void {
    this.#isOpen = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #pass(incoming: Socket, port: number): void {
    const outgoing = dial({ port, host: "127.0.0.1" });
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes: Buffer) => {
        this.carried(bytes);
        to.write(bytes);
      });
      // Either end may have been killed.
      from.on("error", () => from.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    if (this.#isOpen) incoming.resume();
    else outgoing.pause();
  }
}
