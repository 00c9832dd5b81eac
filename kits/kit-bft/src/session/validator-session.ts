import { PeerError, type ProtocolPeer, type ProtocolSession } from "@plinth/core";
import type { PeerEnd } from "@plinth/core/network";

/** A session that says by the size of a message whether it is read at all. */
export interface SizedSession extends ProtocolSession {
  /** Whether a message of so many bytes is read; one that is not is dropped before it is inflated. */
  takes(code: number, bytes: number): boolean;
}

/** Where messages of validators go. */
export interface MessageSink {
  takes(from: ProtocolPeer, code: number, bytes: number): boolean;
  received(from: ProtocolPeer, code: number, payload: Uint8Array): void;
  ended(peer: ProtocolPeer, end: PeerEnd): void;
}

/** The consensus protocol on one connection. */
export class ValidatorSession implements SizedSession {
  readonly #peer: ProtocolPeer;
  readonly #codes: readonly number[];
  readonly #sink: MessageSink;

  constructor(peer: ProtocolPeer, codes: readonly number[], sink: MessageSink) {
    this.#peer = peer;
    this.#codes = codes;
    this.#sink = sink;
  }

  /** A message with an unknown code is read, which ends the connection. */
  takes(code: number, bytes: number): boolean {
    return !this.#codes.includes(code) || this.#sink.takes(this.#peer, code, bytes);
  }

  received(code: number, payload: Uint8Array): void {
    if (!this.#codes.includes(code)) {
      const { name, version } = this.#peer.protocol;
      throw new PeerError(
        "breach-of-protocol",
        `${name}/${version} has no message with code ${code}`,
      );
    }
    this.#sink.received(this.#peer, code, payload);
  }

  ended(end: PeerEnd): void {
    this.#sink.ended(this.#peer, end);
  }
}
