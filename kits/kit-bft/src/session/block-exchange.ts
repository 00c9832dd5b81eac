import {
  type Address,
  type Block,
  decodeRlp,
  encodeRlp,
  getCrypto,
  type Hash,
  hexToBytes,
  PeerError,
  type ProtocolPeer,
} from "@plinth/core";
import { runInTurns } from "@plinth/core/async";
import { blockToRlp, Fields } from "@plinth/core/blocks";
import type { BlockForm } from "../blocks/block-form.js";
import { readBlock, readOutline } from "../blocks/read-block.js";
import { verifyBlockBody } from "../blocks/verify-block-body.js";
import { readItems } from "../messages/read-items.js";
import { Rejected } from "../messages/rejected.js";
import type { SizedSession } from "./validator-session.js";

/** The messages of the protocol; Besu does not have it. */
const codes = { getBlock: 0, block: 1 } as const;
/** Number of message codes of the protocol. */
export const EXCHANGE_LENGTH = 2;

/** The hash of a block, as a list. */
const MAX_REQUEST_BYTES = 64;
/**
 * Maximum number of responses to a validator per height: a short request may lead to a block of
 * megabytes.
 */
const MAX_SERVED = 8;

/** The dependencies of the block exchange. */
export interface BlockExchangeParts {
  readonly form: BlockForm;
  /** The validators of the block being decided. */
  readonly validators: () => readonly Address[];
  /** A block executed for that height. */
  readonly findBlock: (hash: Hash) => Block | undefined;
  /** Called with a requested block; its header commits to its body. */
  readonly received: (block: Block) => void;
}

/**
 * Asks other validators for the block that this node was prepared for and has lost, and serves such
 * requests.
 *
 * Only validators are asked and served. One that sends another block than requested is ignored for
 * the rest of the height.
 */
export class BlockExchange {
  readonly #parts: BlockExchangeParts;
  readonly #peers = new Map<ProtocolPeer, Address>();
  /** Number of responses to each validator at this height. */
  readonly #served = new Map<Address, number>();
  /** Validators that sent a wrong block at this height. */
  readonly #liars = new Set<Address>();
  /** Validators with a pending request. */
  readonly #asked = new Set<Address>();
  #wanted: Hash | undefined;

  constructor(parts: BlockExchangeParts) {
    this.#parts = parts;
  }

  /** Asks all validators for a block. */
  request(hash: Hash): void {
    this.#wanted = hash;
    const message = encodeRlp([hexToBytes(hash)]);
    for (const [peer, address] of this.#peers) {
      if (!this.#isHeard(address)) continue;
      this.#asked.add(address);
      peer.send(codes.getBlock, message);
    }
  }

  /** Another height has started: pending requests are obsolete. */
  heightBegan(): void {
    this.#wanted = undefined;
    this.#asked.clear();
    this.#served.clear();
    this.#liars.clear();
  }

  /** Opens a session with a peer, whether it is a validator or not. */
  connect(peer: ProtocolPeer): SizedSession {
    const address = getCrypto().addressOf(hexToBytes(peer.id));
    this.#peers.set(peer, address);
    const session: SizedSession = {
      takes: (code, bytes) => this.#takes(address, code, bytes),
      received: (code, payload) => this.#received(peer, address, { code, payload }),
      ended: () => this.#peers.delete(peer),
    };
    return session;
  }

  #takes(address: Address, code: number, bytes: number): boolean {
    if (code === codes.getBlock) return bytes <= MAX_REQUEST_BYTES;
    return code !== codes.block || this.#asked.has(address);
  }

  #received(
    peer: ProtocolPeer,
    address: Address,
    { code, payload }: { readonly code: number; readonly payload: Uint8Array },
  ): void | Promise<void> {
    if (!this.#takes(address, code, payload.length)) return;
    if (code === codes.getBlock) return this.#serve(peer, address, payload);
    if (code === codes.block) return this.#take(address, payload);
    const { name, version } = peer.protocol;
    const message = `${name}/${version} has no message with code ${code}`;
    throw new PeerError("breach-of-protocol", message);
  }

  #serve(peer: ProtocolPeer, address: Address, payload: Uint8Array): void {
    const served = this.#served.get(address) ?? 0;
    if (served >= MAX_SERVED || !this.#parts.validators().includes(address)) return;
    const fields = new Fields("GetBlock", decodeRlp(payload));
    const block = this.#parts.findBlock(fields.hash("hash"));
    fields.verifyEnd();
    if (block === undefined) return;
    this.#served.set(address, served + 1);
    peer.send(codes.block, encodeRlp([blockToRlp(block)]));
  }

  /** Decodes a block only if it was requested, and one of each validator for each request. */
  async #take(address: Address, payload: Uint8Array): Promise<void> {
    const { form, received, validators } = this.#parts;
    if (!this.#asked.delete(address) || !this.#isHeard(address)) return;
    // Until it has proved to be the right one.
    this.#liars.add(address);
    const [item] = readItems("Block", payload, { min: 1, max: 1 });
    const outline = readOutline(item as Uint8Array, form.codec, validators().length);
    if (form.hashOf(outline.header) !== this.#wanted) return;
    const block = await runInTurns(readBlock(outline), { lane: "chain" });
    if (!(await hasOwnBody(block))) return;
    this.#liars.delete(address);
    received(block);
  }

  #isHeard(address: Address): boolean {
    return !this.#liars.has(address) && this.#parts.validators().includes(address);
  }
}

async function hasOwnBody(block: Block): Promise<boolean> {
  try {
    await verifyBlockBody(block);
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
}
