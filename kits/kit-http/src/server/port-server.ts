import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { disconnectSlowSenders, inSequence, type ListenAddress } from "@plinth/core/rpc";
import { hostCheck } from "../access/host-check.js";
import { readOrigins } from "../access/origins.js";
import { hasRepeatedHeaders } from "../access/repeated-headers.js";
import { readBody } from "../bodies/read-body.js";
import { refuse } from "../bodies/refuse.js";
import { limitAddresses } from "../limits/address-limit.js";
import { Drain } from "./drain.js";
import type { BodyHandler, HttpServer, HttpServerSettings } from "./http-server-settings.js";

/** A request must be sent within this time. */
const MAX_SENDING_MS = 300_000;
/** How often that, and the minute for its head, are checked. */
const CHECK_MS = 5000;
/** Keep-alive timeout of a connection, a little longer than that of most proxies. */
const MAX_IDLE_MS = 72_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A server with the guards of every listener.
 *
 * Plain posts are handled by Node.js alone. Everything else goes to fastify, which takes a tenth of
 * a second to load: it is loaded at the first such request, or by `load`.
 */
export class PortServer {
  readonly server: Server;
  readonly #settings: HttpServerSettings;
  readonly #addRoutes: (server: HttpServer) => void | Promise<void>;
  readonly #drain = new Drain();
  #loading: Promise<HttpServer> | undefined;

  constructor(
    settings: HttpServerSettings,
    addRoutes: (server: HttpServer) => void | Promise<void>,
  ) {
    // A mistake in the list should be reported to the operator at startup.
    readOrigins(settings.origins, settings.originsOption);
    this.#settings = settings;
    this.#addRoutes = addRoutes;
    const ordinary = this.#drain.watch((request, response) => this.#route(request, response));
    const handler = inSequence(shortcut(settings, this.#drain, ordinary));
    this.server = createNodeServer(settings, handler);
    if (settings.takesUpgrades === true) this.server.on("upgrade", this.#upgradeLater);
    this.#drain.follow(this.server);
  }

  /** Loads fastify and adds the routes; throws if they are invalid. */
  async load(): Promise<void> {
    await this.#load();
  }

  /** Resolves when connections are accepted. */
  listen(address: ListenAddress): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(address, () => {
        this.server.off("error", reject);
        resolve();
      });
    });
  }

  /** Accepts nothing new; resolves when the requests in progress are complete. */
  async close(): Promise<void> {
    this.#drain.begin();
    this.#settings.tls?.dropHandshakes();
    // A server that never listened is already closed.
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const server = await this.#loading?.catch(() => undefined);
    await server?.close();
    await closed;
  }

  #load(): Promise<HttpServer> {
    this.#loading ??= this.#build();
    return this.#loading;
  }

  async #build(): Promise<HttpServer> {
    const { buildHttpServer } = await import("./build-server.js");
    const server = await buildHttpServer(this.#settings, {
      server: this.server,
      drain: this.#drain,
    });
    await this.#addRoutes(server);
    await server.ready();
    this.server.off("upgrade", this.#upgradeLater);
    return server;
  }

  #route(request: IncomingMessage, response: ServerResponse): void {
    this.#load().then(
      (server) => server.routing(request, response),
      (error: unknown) => refuse(response, error),
    );
  }

  /** The routes are available a moment later. */
  readonly #upgradeLater = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node.js has removed its own listener, and the client may disconnect in the meantime.
    socket.on("error", () => socket.destroy());
    this.#load().then(
      () => this.server.emit("upgrade", request, socket, head),
      () => socket.destroy(),
    );
  };
}

function createNodeServer(
  { maxConnections, addressLimit, tls }: HttpServerSettings,
  handler: Handler,
): Server {
  const settings = {
    // A client without a Host gets the response of the host check.
    requireHostHeader: false,
    requestTimeout: MAX_SENDING_MS,
    connectionsCheckingInterval: CHECK_MS,
    keepAliveTimeout: MAX_IDLE_MS,
  };
  const server = tls?.createServer(settings, handler) ?? createServer(settings, handler);
  server.maxConnections = maxConnections;
  disconnectSlowSenders(server);
  if (addressLimit !== undefined) limitAddresses(server, addressLimit);
  return server;
}

/**
 * Handles `POST /` of programs before fastify does, which halves the cost of a call (ADR 7).
 *
 * Only requests that the guards would let through unchanged: an allowed host and no `Origin`.
 * Everything else takes the regular path, to the same handler.
 */
function shortcut(
  { hosts, maxBodyBytes, post }: HttpServerSettings,
  drain: Drain,
  ordinary: Handler,
): Handler {
  if (post === undefined) return ordinary;
  const isAllowed = hostCheck(hosts);
  return (request, response) => {
    const { method, url, headers } = request;
    const isPlain = method === "POST" && url === "/" && headers.origin === undefined;
    if (!isPlain || !isAllowed(headers.host) || hasRepeatedHeaders(request)) {
      return ordinary(request, response);
    }
    const answer = (handler: BodyHandler | undefined) => {
      // Node.js discards the body of a request whose response is already sent.
      if (handler === undefined) return;
      readBody(request, maxBodyBytes, (error, body = "") => {
        if (error !== null) return refuse(response, error);
        const answering = handler(body);
        if (answering !== undefined) drain.during(answering);
      });
    };
    const accepted = post(request, response);
    if (accepted instanceof Promise) void accepted.then(answer);
    else answer(accepted);
  };
}
