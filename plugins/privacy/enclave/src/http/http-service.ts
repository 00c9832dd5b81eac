import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, isIP } from "node:net";
import { type Clock, type Logger, systemClock, yieldToLoop } from "@plinth/core";
import { disconnectSlowSenders, inSequence } from "@plinth/core/rpc";
import { EnclaveError } from "@plinth/kit-enclave";
import { type Caller, callerOf } from "../peers/caller.js";
import { OpenConnections } from "./open-connections.js";
import type { PeerTls } from "./peer-tls.js";

/** A request with its complete body. */
export interface Call {
  readonly caller: Caller;
  readonly headers: IncomingMessage["headers"];
  readonly body: Uint8Array;
}

/** A response; text is plain by default. */
export interface RouteResponse {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Handler of a path. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Maximum size of the body; a larger one is rejected before it is read. */
  readonly maxBytes: number;
  readonly handle: (call: Call) => RouteResponse | Promise<RouteResponse>;
}

export interface ServiceSettings {
  readonly host: string;
  /** 0 for an ephemeral port. */
  readonly port: number;
  readonly routes: readonly Route[];
  readonly log: Logger;
  readonly tls?: PeerTls | undefined;
  /**
   * Accepted names in the `Host` header, besides addresses, localhost and `host`; any by default.
   */
  readonly allowedHosts?: readonly string[];
  /** Whether a caller at an address is served; all are by default. */
  readonly admits?: (address: string) => Promise<boolean>;
  /** Called with the path of a route and the status of its response. */
  readonly answered?: (path: string, status: number) => void;
  readonly clock?: Clock;
}

/** Time limit for a request to arrive completely. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Interval of that check; Node's default equals the timeout. */
const CHECK_MS = 5000;
const HANDSHAKE_MS = 10_000;
/** Time limit for a caller to read a response. */
const MAX_READING_MS = 120_000;
/** Maximum number of connections, in total and per address: a manager opens 16. */
const MAX_CONNECTIONS = 1024;
const MAX_OF_ADDRESS = 128;
/** Memory limit for bodies being read. */
const MAX_BYTES_AT_ONCE = 128 * 1024 * 1024;

/** Serves the routes of a manager over HTTP. */
export class HttpService {
  readonly #settings: ServiceSettings;
  readonly #server: Server;
  readonly #connections: OpenConnections;
  #bytes = 0;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    const options = {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_MS,
    };
    const listener = inSequence((request, response) => void this.#answer(request, response));
    this.#server =
      settings.tls === undefined
        ? createServer(options, listener)
        : createGuarded(options, listener, settings.tls);
    this.#server.maxConnections = MAX_CONNECTIONS;
    disconnectSlowSenders(this.#server);
    this.#connections = new OpenConnections(this.#server, MAX_OF_ADDRESS);
  }

  /** Resolves with the port once it is listening. */
  async listen(): Promise<number> {
    const { host, port } = this.#settings;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ host, port }, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    // Includes those in the TLS handshake, which the HTTP server does not track.
    this.#connections.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [pathname = "/"] = (request.url ?? "/").split("?");
    const routes = this.#settings.routes.filter(({ path }) => path === pathname);
    const answer = await this.#run(request, routes).catch((error) => this.#failure(error));
    if (routes.length > 0) this.#settings.answered?.(pathname, answer.status);
    send(response, answer);
    if (response.writableLength === 0) return;
    const { clock = systemClock } = this.#settings;
    response.once(
      "close",
      clock.after(MAX_READING_MS, () => response.destroy()),
    );
  }

  async #run(request: IncomingMessage, routes: readonly Route[]): Promise<RouteResponse> {
    this.#verifyHost(request);
    await this.#verifyCaller(request);
    if (routes.length === 0) return { status: 404, body: "HTTP 404 Not Found" };
    const route = routes.find(({ method }) => method === request.method);
    if (route === undefined) return { status: 500, body: "HTTP 405 Method Not Allowed" };
    const hasAuthority = this.#settings.tls?.isByAuthority === true;
    const caller = callerOf(request.socket, { hasAuthority });
    const body = await this.#read(request, route.maxBytes);
    // Many may be complete at once, and encryption blocks the thread.
    await yieldToLoop();
    return route.handle({ caller, headers: request.headers, body });
  }

  /** A web page whose own name resolves to this address must not read decrypted payloads. */
  #verifyHost({ headers }: IncomingMessage): void {
    const { allowedHosts, host } = this.#settings;
    if (allowedHosts === undefined || allowedHosts.includes("*")) return;
    if (headers.host === undefined) return;
    const name = headers.host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
    if (isIP(name) !== 0 || ["localhost", host, ...allowedHosts].includes(name)) return;
    throw new EnclaveError(403, "Host not authorized.");
  }

  async #verifyCaller({ socket }: IncomingMessage): Promise<void> {
    const { admits } = this.#settings;
    if (admits === undefined || (await admits(socket.remoteAddress ?? ""))) return;
    throw new EnclaveError(401, "the caller is not one of the peers of this manager");
  }

  async #read(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    const tooLarge = new EnclaveError(413, `a body of more than ${maxBytes} bytes`);
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
    try {
      for await (const part of request) {
        bytes += part.length;
        this.#bytes += part.length;
        if (bytes > maxBytes) throw tooLarge;
        if (this.#bytes > MAX_BYTES_AT_ONCE) {
          throw new EnclaveError(503, "too many concurrent requests; try again in a second");
        }
        parts.push(part);
      }
      return new Uint8Array(Buffer.concat(parts));
    } finally {
      this.#bytes -= bytes;
    }
  }

  #failure(error: unknown): RouteResponse {
    if (error instanceof EnclaveError && error.status === 410) return goneAnswer(error.message);
    if (error instanceof EnclaveError) return { status: error.status, body: error.message };
    const { code } = Object(error);
    // The caller has disconnected.
    if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE") return { status: 400 };
    // Internal errors are not disclosed to the caller.
    this.#settings.log.error("a request of the private transaction manager failed", { error });
    return { status: 500, body: "Internal Server Error" };
  }
}

function createGuarded(options: ServerOptions, listener: RequestListener, tls: PeerTls): Server {
  const settings = { ...options, handshakeTimeout: HANDSHAKE_MS, ...tls.serverOptions() };
  const server = createTlsServer(settings, listener);
  tls.guard(server);
  return server;
}

/** Tessera responds with the error page of its server, whose text nodes parse. */
function goneAnswer(message: string): RouteResponse {
  const body = `<html><head><title>Error 410 ${message}</title></head><body><h2>HTTP ERROR 410 ${message}</h2></body></html>\n`;
  return { status: 410, type: "text/html;charset=iso-8859-1", body };
}

function send(response: ServerResponse, answer: RouteResponse): void {
  const { status, type = "text/plain", headers = {}, body = "" } = answer;
  // The rest of a rejected body is not read, so the connection cannot be reused.
  const isWhole = response.req.complete;
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    ...(isWhole ? {} : { connection: "close" }),
    ...headers,
  });
  response.end(body);
}
