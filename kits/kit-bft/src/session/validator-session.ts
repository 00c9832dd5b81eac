import { PeerError, type ProtocolPeer, type ProtocolSession } from "@plinth/core";
import type { PeerEnd } from "@plinth/core/network";

/** A session that decides by the size of a message whether it is read. */
export interface SizedSession extends ProtocolSession {
  /** Whether a message of this size is read; otherwise it is dropped before decompression. */
  takes(code: number, bytes: number): boolean;
}

/** The receiver of consensus messages. */
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
