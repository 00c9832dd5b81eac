import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { WildcardList } from "../access/wildcard-list.js";
import type { AddressLimit } from "../limits/address-limit.js";
import type { TlsListener } from "../tls/tls-listener.js";

/** What listeners add their routes to. */
export type HttpServer = FastifyInstance;

/** Answers a request with its body: at once, or when the promise settles. */
export type BodyHandler = (body: string) => Promise<void> | undefined;

/**
 * Decides about `POST /` before its body is read: returns what answers the body, or `undefined` when
 * the request is answered already.
 */
export type PostHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => BodyHandler | undefined | Promise<BodyHandler | undefined>;

/** What guards an HTTP listener, and what it does with the one request that most callers send. */
export interface HttpServerSettings {
  readonly hosts: WildcardList;
  /** Paths that are answered whatever the host. */
  readonly probes?: readonly string[];
  readonly origins: WildcardList;
  /** The option that named the origins, for messages. */
  readonly originsOption: string;
  /** Whether a refusal of a host or an origin says which option would allow it; else as Besu does. */
  readonly explainsRefusals?: boolean;
  /** Whether pages of this listener itself may call, too. */
  readonly allowsOwnOrigin?: boolean;
  /** Connections above this number are closed at once. */
  readonly maxConnections: number;
  /** The limit of connections from one address; none when left out. */
  readonly addressLimit?: AddressLimit;
  /** What TLS is served with; plain HTTP when left out. */
  readonly tls?: TlsListener | undefined;
  /** Larger bodies are refused. */
  readonly maxBodyBytes: number;
  readonly post?: PostHandler;
  /** Whether its routes take over connections that ask for another protocol. */
  readonly takesUpgrades?: boolean;
}
