import { type PeerEnd, PeerError, type ProtocolPeer, type ProtocolSession } from "@plinth/core";

/** Where messages of validators go. */
export interface MessageSink {
  received(from: ProtocolPeer, code: number, payload: Uint8Array): void;
  ended(peer: ProtocolPeer, end: PeerEnd): void;
}

/** The consensus protocol on one connection. */
export class ValidatorSession implements ProtocolSession {
  readonly #peer: ProtocolPeer;
  readonly #codes: readonly number[];
  readonly #sink: MessageSink;

  constructor(peer: ProtocolPeer, codes: readonly number[], sink: MessageSink) {
    this.#peer = peer;
    this.#codes = codes;
    this.#sink = sink;
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
