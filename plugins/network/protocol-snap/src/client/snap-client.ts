import {
  type Clock,
  decodeRlp,
  PeerError,
  type ProtocolPeer,
  type ProtocolSession,
} from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import { Requests } from "@plinth/plugin-protocol-eth/api";
import { CODES, encodeResponse, LENGTH } from "../messages.js";
import {
  type AccountQuery,
  type AccountResponse,
  accountRange,
  byteCodes,
  type CodeQuery,
  type StorageQuery,
  type StorageResponse,
  storageRanges,
} from "./codecs.js";

/** Twice what another node needs at most to collect a response. */
const TIMEOUT_MS = 10_000;
const MAX_REQUEST_BYTES = 256 * 2 ** 10;
/** More than is requested: an item and a proof may exceed the size. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20;

/** What a node without a state responds to each request. */
const NOTHING: ReadonlyMap<number, readonly (readonly never[])[]> = new Map([
  [CODES.getAccountRange, [[], []]],
  [CODES.getStorageRanges, [[], []]],
  [CODES.getByteCodes, [[]]],
  [CODES.getTrieNodes, [[]]],
]);

/** The sessions of a node that reads a state. */
export interface SnapClientSettings {
  readonly clock: Clock;
  ended(client: SnapClient): void;
}

/** The snap protocol on one connection of a node that has no state: it requests, and serves nothing. */
export class SnapClient implements ProtocolSession {
  readonly peer: ProtocolPeer;
  readonly requests: Requests;
  readonly #settings: SnapClientSettings;

  constructor(peer: ProtocolPeer, settings: SnapClientSettings) {
    this.peer = peer;
    this.#settings = settings;
    this.requests = new Requests(peer, settings.clock, TIMEOUT_MS);
  }

  /** Requests accounts with their proof; rejects with `RequestFailed` on a timeout. */
  requestAccounts(query: AccountQuery): Promise<AccountResponse> {
    return this.requests.run(accountRange, query);
  }

  /** Requests slots with the proof of the last ones. */
  requestStorage(query: StorageQuery): Promise<StorageResponse> {
    return this.requests.run(storageRanges, query);
  }

  /** Requests codes; those that the peer does not have are omitted. */
  requestCodes(query: CodeQuery): Promise<readonly Uint8Array[]> {
    return this.requests.run(byteCodes, query);
  }

  takes(code: number, bytes: number): boolean {
    if (code >= LENGTH) throw new PeerError("breach-of-protocol", `snap/1 has no message ${code}`);
    const limit = NOTHING.has(code) ? MAX_REQUEST_BYTES : MAX_RESPONSE_BYTES;
    if (bytes <= limit) return NOTHING.has(code) || this.requests.awaits(code);
    throw new PeerError(
      "breach-of-protocol",
      `message ${code} has ${bytes} bytes, the limit is ${limit}`,
    );
  }

  async received(code: number, payload: Uint8Array): Promise<void> {
    if (!this.takes(code, payload.length)) return;
    const nothing = NOTHING.get(code);
    if (nothing === undefined) {
      await this.requests.received(code, payload);
      return;
    }
    const id = new Fields("request", decodeRlp(payload)).uint64("id");
    await this.peer.drained();
    this.peer.send(code + 1, encodeResponse(id, nothing));
  }

  ended(): void {
    this.#settings.ended(this);
  }
}
