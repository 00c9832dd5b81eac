import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { NodePages } from "../access/node-pages.js";
import type { WildcardList } from "../access/wildcard-list.js";
import type { AddressLimit } from "../limits/address-limit.js";
import type { TlsListener } from "../tls/tls-listener.js";

/** Where listeners add their routes. */
export type HttpServer = FastifyInstance;

/** Responds to a request with its body, synchronously or asynchronously. */
export type BodyHandler = (body: string) => Promise<void> | undefined;

/**
 * Decides about `POST /` before its body is read: returns the handler of the body, or `undefined`
 * if the response has already been sent.
 */
export type PostHandler = (
  request: IncomingMessage,
  response: ServerResponse,
) => BodyHandler | undefined | Promise<BodyHandler | undefined>;

/** The guards of an HTTP listener, and its handler of the most common request. */
export interface HttpServerSettings {
  readonly hosts: WildcardList;
  /** Paths that are served for any host. */
  readonly probes?: readonly string[];
  readonly origins: WildcardList;
  /** The option that sets the origins, for messages. */
  readonly originsOption: string;
  /**
   * Whether a rejected host or origin names the option that would allow it; otherwise the message
   * is that of Besu.
   */
  readonly explainsRefusals?: boolean;
  /** Whether pages of this listener itself may call, too. */
  readonly allowsOwnOrigin?: boolean;
  /** Pages of the node that may call, on whichever port they are served. */
  readonly pages?: readonly NodePages[];
  /** Connections above this number are closed at once. */
  readonly maxConnections: number;
  /** The limit of connections per address; none by default. */
  readonly addressLimit?: AddressLimit;
  /** The TLS settings; plain HTTP by default. */
  readonly tls?: TlsListener | undefined;
  /** Larger bodies are rejected. */
  readonly maxBodyBytes: number;
  readonly post?: PostHandler;
  /** Whether its routes take over protocol upgrades. */
  readonly takesUpgrades?: boolean;
}
