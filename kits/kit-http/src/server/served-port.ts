import type { Socket } from "node:net";
import { ConfigError, type Logger, type Runtime } from "@plinth/core";
import type { Endpoint, EndpointSettings, ListenAddress, ListenTls } from "@plinth/core/rpc";
import { listen } from "./listen.js";
import type { PortServer } from "./port-server.js";

/** The service of a port. */
export interface ServedPortSettings {
  /** Its name in log lines. */
  readonly title: string;
  readonly endpoint: EndpointSettings;
  readonly address: ListenAddress;
  /** The options of the address, for messages; `undefined` if a plugin set it. */
  readonly options?: { readonly host: string; readonly port: string } | undefined;
  /** The TLS settings; plain HTTP by default. */
  readonly tls?: ListenTls | undefined;
  /** Where else it is served: then a port in use is reported, but not an error. */
  readonly elsewhere?: string | undefined;
  createServer(endpoint: Endpoint, runtime: Runtime): Promise<PortServer>;
}

/** A port that is opened once and closed once. */
export class ServedPort {
  readonly #settings: ServedPortSettings;
  readonly #sockets = new Set<Socket>();
  #server: PortServer | undefined;
  #closing: Promise<void> | undefined;
  #release = () => {};

  constructor(settings: ServedPortSettings) {
    this.#settings = settings;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Opens the endpoint and listens; throws if it cannot. */
  async open(runtime: Runtime, log: Logger): Promise<void> {
    const { title, tls } = this.#settings;
    const endpoint = runtime.rpc.endpoint(this.#settings.endpoint);
    this.#release = () => runtime.rpc.close(endpoint);
    this.#server = await this.#settings.createServer(endpoint, runtime);
    this.#server.server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    const bound = await this.#listen(this.#server, log);
    if (bound === undefined) return;
    endpoint.listening(tls === undefined ? bound : { ...bound, tls });
    const note = tls ? " with TLS enabled." : "";
    log.info(`${title} started and listening on ${bound.host}:${bound.port}${note}`);
  }

  async #listen(server: PortServer, log: Logger): Promise<ListenAddress | undefined> {
    const { title, address, options, elsewhere } = this.#settings;
    try {
      return await listen(server, { ...address, options });
    } catch (error) {
      const isInUse = error instanceof ConfigError && error.code === "PORT_IN_USE";
      if (elsewhere === undefined || !isInUse) throw error;
      log.warn(`${title}: port ${address.port} is in use; it is served on ${elsewhere} only`);
      return undefined;
    }
  }

  /**
   * Accepts nothing new; resolves when the requests in progress are complete. Safe to call twice.
   */
  async close(): Promise<void> {
    this.#release();
    this.#closing ??= this.#server?.close();
    await this.#closing;
  }
}
