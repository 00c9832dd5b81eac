import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { ConfigError, messageOf } from "@plinth/core";
import { isLocal, subnetOf } from "./peers/addresses.js";

/**
 * Limits for connections that have not sent Hello yet: per address, per public subnet, and in total, where the oldest
 * is evicted: an honest peer needs a few milliseconds.
 */
const MAX_PENDING_OF_ADDRESS = 16;
const MAX_PENDING_OF_SUBNET = 32;
const MAX_PENDING = 512;

/** Dependencies and settings of the listener. */
export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  /** Whether an address may connect now. */
  readonly isAllowed: (host: string) => boolean;
  /** Opens a session; settles when the connection is open or has failed. */
  readonly accept: (socket: Socket) => Promise<void>;
}

/** Accepts connections, with few at a time that are not open yet. */
export class Listener {
  readonly #settings: ListenerSettings;
  readonly #server: Server;
  readonly #pending = new Map<Socket, string>();

  constructor(settings: ListenerSettings) {
    this.#settings = settings;
    this.#server = createServer((socket) => void this.#accept(socket));
    this.#server.maxConnections = settings.maxConnections;
  }

  /** Binds; returns the port, which the system chose for port 0. */
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
    // Accept errors, such as too many open files, are not fatal.
    this.#server.removeAllListeners("error").on("error", () => {});
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening; does nothing if it is not listening. */
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
    const [oldest] = this.#pending.keys();
    if (this.#pending.size >= MAX_PENDING && oldest !== undefined) {
      this.#pending.delete(oldest);
      oldest.destroy();
    }
    this.#pending.set(socket, address);
    try {
      await this.#settings.accept(socket);
    } finally {
      this.#pending.delete(socket);
    }
  }

  #hasRoomFor(address: string): boolean {
    const others = [...this.#pending.values()];
    const ofAddress = others.filter((other) => other === address);
    if (ofAddress.length >= MAX_PENDING_OF_ADDRESS) return false;
    if (isLocal(address)) return true;
    const subnet = subnetOf(address);
    const ofSubnet = others.filter((other) => subnetOf(other) === subnet);
    return ofSubnet.length < MAX_PENDING_OF_SUBNET;
  }
}

/** Explains a bind error in terms of the options for address and port. */
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
