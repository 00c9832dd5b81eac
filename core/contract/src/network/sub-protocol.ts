import { defineContributionPoint } from "../kernel/contributions.js";
import { PluginError } from "../kernel/errors.js";
import { type Capability, formatCapability } from "./capability.js";
import type { PeerEnd } from "./disconnect.js";
import type { ProtocolPeer } from "./peer.js";

/** One version of a wire protocol; several versions of one name may be contributed. */
export interface SubProtocol<R> extends Capability {
  /** Number of message codes, starting at 0. Both sides must agree on it. */
  readonly length: number;
  /** Whether it is announced to peers on this chain; true by default. */
  isOffered?(runtime: R): boolean;
  /** Called for every peer that shares this version, once the connection is open. */
  connected(peer: ProtocolPeer, runtime: R): ProtocolSession;
}

/** One protocol on one connection. */
export interface ProtocolSession {
  /**
   * Resolves when the peer counts as connected, such as after a handshake of the protocol;
   * immediately by default.
   *
   * Until then the peer is not listed and `network.connected` is not called. A rejection
   * disconnects it.
   */
  readonly opened?: Promise<void>;
  /**
   * Whether a message of this size is wanted; all are by default.
   *
   * Called before the message is decompressed. An unwanted message is dropped; throw `PeerError` to
   * disconnect.
   */
  takes?(code: number, bytes: number): boolean;
  /**
   * Handles a message: the protocol's own code and the uncompressed bytes.
   *
   * Messages of one session arrive one at a time and in order. Throw `PeerError` to disconnect with
   * its reason; an `RlpError` is a breach of protocol.
   */
  received(code: number, payload: Uint8Array): void | Promise<void>;
  /** Called once when the connection has ended, for whatever reason. */
  ended?(end: PeerEnd): void;
  /**
   * The status of the peer shown to operators under the name of the protocol; `undefined` while
   * unknown.
   */
  describe?(): Readonly<Record<string, unknown>> | undefined;
}

/** The contribution point of wire protocols. */
export const subProtocols = defineContributionPoint<SubProtocol<never>>("network.protocol", {
  summary: "Wire protocols for communication with peers.",
  key: { label: "protocol", of: formatCapability },
});

/** A capability name is at most 8 ASCII letters and digits. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,7}$/;
const MAX_VERSION = 2 ** 31 - 1;
/**
 * Message ids of all protocols of a connection share one space; existing protocols need at most 22.
 */
const MAX_CODES = 256;

/** Throws if a protocol cannot be announced to peers. */
export function verifySubProtocol(plugin: string, protocol: SubProtocol<never>): void {
  const { name, version, length } = protocol;
  const fail = (message: string) =>
    new PluginError("PROTOCOL_INVALID", { message: `${plugin}: ${message}`, plugin });
  if (!NAME.test(name)) {
    throw fail(`the protocol name "${name}" is not 1 to 8 ASCII letters and digits`);
  }
  if (!Number.isInteger(version) || version < 0 || version > MAX_VERSION) {
    throw fail(
      `the version of ${name} is ${version}, expected an integer from 0 to ${MAX_VERSION}`,
    );
  }
  if (!Number.isInteger(length) || length < 1 || length > MAX_CODES) {
    throw fail(`${name}/${version} has ${length} message codes, expected 1 to ${MAX_CODES}`);
  }
}
