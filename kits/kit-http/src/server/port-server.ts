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

/** A request has to be sent within this time. */
const MAX_SENDING_MS = 300_000;
/** That, and the minute for its head, are checked so often. */
const CHECK_MS = 5000;
/** A connection between two requests is kept this long, a little longer than proxies usually do. */
const MAX_IDLE_MS = 72_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A server with the guards that every listener has.
 *
 * Plain posts are answered by Node.js alone. Everything else goes to fastify, which takes a tenth of a
 * second to load: it is loaded when the first such request comes, or by `load`.
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
    // A mistake in the list is one of the operator, who starts the node.
    readOrigins(settings.origins, settings.originsOption);
    this.#settings = settings;
    this.#addRoutes = addRoutes;
    const ordinary = this.#drain.watch((request, response) => this.#route(request, response));
    const handler = inSequence(shortcut(settings, this.#drain, ordinary));
    this.server = createNodeServer(settings, handler);
    if (settings.takesUpgrades === true) this.server.on("upgrade", this.#upgradeLater);
    this.#drain.follow(this.server);
  }

  /** Loads fastify and adds the routes; throws what is wrong about them. */
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

  /** Accepts nothing new; resolves when the requests under way are answered. */
  async close(): Promise<void> {
    this.#drain.begin();
    this.#settings.tls?.dropHandshakes();
    // One that never listened is closed already.
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

  /** The routes are there a moment later. */
  readonly #upgradeLater = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node.js has taken its own listener away, and the client may leave in the meantime.
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
    // Who sends no Host gets the answer of the host check.
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
 * Takes `POST /` of programs before fastify does, which halves what a call costs (ADR 7).
 *
 * Only requests that the guards would let through unchanged: an allowed host and no `Origin`.
 * Everything else goes the ordinary way, to the same handler.
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
      // Node.js discards the body of a request that is answered without it.
      if (handler === undefined) return;
      readBody(request, maxBodyBytes, (error, body = "") => {
        if (error !== null) return refuse(response, error);
        const answering = handler(body);
        if (answering !== undefined) drain.during(response, answering);
      });
    };
    const accepted = post(request, response);
    if (accepted instanceof Promise) void accepted.then(answer);
    else answer(accepted);
  };
}
