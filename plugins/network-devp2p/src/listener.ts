import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { ConfigError, messageOf } from "@plinth/core";

/** Connections that have not said Hello yet: of all peers, and of one address. */
const MAX_PENDING = 64;
const MAX_PENDING_OF_ADDRESS = 16;

/** What a listener is made with. */
export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  /** Whether an address may connect, now. */
  readonly isAllowed: (host: string) => boolean;
  /** Opens a session; settles when the connection is open or has failed. */
  readonly accept: (socket: Socket) => Promise<void>;
}

/** Accepts connections, few at a time that are not open yet. */
export class Listener {
  readonly #settings: ListenerSettings;
  readonly #server: Server;
  readonly #pending = new Map<Socket, string>();

  constructor(settings: ListenerSettings) {
    this.#settings = settings;
    this.#server = createServer((socket) => void this.#accept(socket));
    this.#server.maxConnections = settings.maxConnections;
  }

  /** Binds; answers the port, which the system chose for port 0. */
  async listen(): Promise<number> {
    const { host, port } = this.#settings;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once("error", reject);
        this.#server.listen({ host, port, exclusive: true }, resolve);
      });
    } catch (error) {
      throw explain(error, host, port);
    }
    // Errors of accepting, such as too many open files, end nothing.
    this.#server.removeAllListeners("error").on("error", () => {});
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening; does nothing when it does not. */
  async close(): Promise<void> {
    for (const socket of this.#pending.keys()) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on("error", () => socket.destroy());
    const address = socket.remoteAddress?.replace(/^::ffff:/, "");
    if (address === undefined || !this.#hasRoomFor(address) || !this.#settings.isAllowed(address)) {
      socket.destroy();
      return;
    }
    this.#pending.set(socket, address);
    try {
      await this.#settings.accept(socket);
    } finally {
      this.#pending.delete(socket);
    }
  }

  #hasRoomFor(address: string): boolean {
    if (this.#pending.size >= MAX_PENDING) return false;
    const ofAddress = [...this.#pending.values()].filter((other) => other === address);
    return ofAddress.length < MAX_PENDING_OF_ADDRESS;
  }
}

/** Says what stands in the way, in terms of the options that chose the place. */
export function explain(error: unknown, host: string, port: number): ConfigError {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new ConfigError("PORT_IN_USE", {
        message: `Port(s) '[${port}]' already in use. Check for other processes using the port(s), or choose another with --p2p-port.`,
        port,
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new ConfigError("HOST_UNAVAILABLE", {
        message: `The provided --p2p-interface is not available: ${host}`,
        host,
      });
    default:
      return new ConfigError("LISTEN_FAILED", {
        message: `cannot listen on ${host}:${port} (--p2p-interface, --p2p-port): ${messageOf(error)}`,
        cause: error,
      });
  }
}
