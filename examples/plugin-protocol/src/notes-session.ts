import {
  decodeRlp,
  encodeRlp,
  PeerError,
  type ProtocolPeer,
  type ProtocolSession,
} from "@plinth/core";
import { MAX_NOTE_BYTES, MAX_NOTES, type Notes } from "./notes.js";

/** The only message: a list of notes. */
export const NOTES = 0;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Shares notes with one peer: all of them at first, then each new one. */
export class NotesSession implements ProtocolSession {
  readonly #peer: ProtocolPeer;
  readonly #notes: Notes;
  /** Notes that the peer has, so that none is sent back to its source. */
  readonly #known = new Set<string>();
  readonly #unsubscribe: () => void;

  constructor(peer: ProtocolPeer, notes: Notes) {
    this.#peer = peer;
    this.#notes = notes;
    this.#unsubscribe = notes.onAdded((text) => this.#send([text]));
    this.#send(notes.list());
  }

  async received(_code: number, payload: Uint8Array): Promise<void> {
    for (const text of decodeNotes(payload)) {
      this.#known.add(text);
      await this.#notes.add(text);
    }
  }

  ended(): void {
    this.#unsubscribe();
  }

  describe() {
    return { notes: this.#known.size };
  }

  #send(texts: readonly string[]): void {
    const unknown = texts.filter((text) => !this.#known.has(text));
    if (unknown.length === 0) return;
    for (const text of unknown) this.#known.add(text);
    this.#peer.send(NOTES, encodeRlp(unknown.map((text) => encoder.encode(text))));
  }
}

/** Decodes a message of an untrusted peer: everything in it is verified. */
function decodeNotes(payload: Uint8Array): readonly string[] {
  const list = decodeRlp(payload);
  if (list instanceof Uint8Array || list.length > MAX_NOTES) {
    throw new PeerError("breach-of-protocol", `expected a list of at most ${MAX_NOTES} notes`);
  }
  return list.map((item) => {
    if (!(item instanceof Uint8Array) || item.length > MAX_NOTE_BYTES) {
      throw new PeerError(
        "breach-of-protocol",
        `expected notes of at most ${MAX_NOTE_BYTES} bytes`,
      );
    }
    try {
      return decoder.decode(item);
    } catch (cause) {
      throw new PeerError("breach-of-protocol", "a note is not UTF-8", cause);
    }
  });
}
