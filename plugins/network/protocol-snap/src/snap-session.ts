import {
  type BlockReader,
  PeerError,
  type ProtocolPeer,
  type ProtocolSession,
  type Rlp,
} from "@plinth/core";
import {
  CODES,
  decodeAccountRangeRequest,
  decodeByteCodesRequest,
  decodeStorageRangesRequest,
  decodeTrieNodesRequest,
  encodeResponse,
  LENGTH,
} from "./messages.js";
import { RecentStates } from "./recent-states.js";
import { serveAccounts } from "./serve/serve-accounts.js";
import { serveCodes } from "./serve/serve-codes.js";
import { serveNodes } from "./serve/serve-nodes.js";
import { serveStorage } from "./serve/serve-storage.js";

/** Requests have hashes and paths only: of as many as a response may have. */
const MAX_REQUEST_BYTES = 256 * 2 ** 10;

type Serve = (
  payload: Uint8Array,
) => Promise<{ readonly id: bigint; readonly body: readonly Rlp[] }>;

/** The snap protocol on one connection: requests are served, one at a time; none are sent. */
export class SnapSession implements ProtocolSession {
  readonly #peer: ProtocolPeer;
  readonly #serve: ReadonlyMap<number, Serve>;

  constructor(peer: ProtocolPeer, blocks: BlockReader) {
    const states = new RecentStates(blocks);
    this.#peer = peer;
    this.#serve = new Map<number, Serve>([
      [CODES.getAccountRange, serving(decodeAccountRangeRequest, (r) => serveAccounts(states, r))],
      [CODES.getStorageRanges, serving(decodeStorageRangesRequest, (r) => serveStorage(states, r))],
      [CODES.getByteCodes, serving(decodeByteCodesRequest, (r) => serveCodes(blocks, r))],
      [CODES.getTrieNodes, serving(decodeTrieNodesRequest, (r) => serveNodes(states, r))],
    ]);
  }

  takes(code: number, bytes: number): boolean {
    if (code >= LENGTH) throw new PeerError("breach-of-protocol", `snap/1 has no message ${code}`);
    // Responses to nothing.
    if (!this.#serve.has(code)) return false;
    if (bytes <= MAX_REQUEST_BYTES) return true;
    throw new PeerError(
      "breach-of-protocol",
      `message ${code} has ${bytes} bytes, the limit is ${MAX_REQUEST_BYTES}`,
    );
  }

  async received(code: number, payload: Uint8Array): Promise<void> {
    const serve = this.#serve.get(code);
    if (!this.takes(code, payload.length) || serve === undefined) return;
    await this.#peer.drained();
    const { id, body } = await serve(payload);
    this.#peer.send(code + 1, encodeResponse(id, body));
  }
}

function serving<R extends { readonly id: bigint }>(
  decode: (payload: Uint8Array) => R,
  serve: (request: R) => Promise<readonly Rlp[]>,
): Serve {
  return async (payload) => {
    const request = decode(payload);
    return { id: request.id, body: await serve(request) };
  };
}
