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

/** The messages of the protocol; Besu does not know it. */
const codes = { getBlock: 0, block: 1 } as const;
/** How many message codes the protocol has. */
export const EXCHANGE_LENGTH = 2;

/** The hash of a block, as a list. */
const MAX_REQUEST_BYTES = 64;
/** What a validator gets in one height: a short request may lead to a block of megabytes. */
const MAX_SERVED = 8;

/** What blocks are exchanged with. */
export interface BlockExchangeParts {
  readonly form: BlockForm;
  /** The validators of the block that is decided now. */
  readonly validators: () => readonly Address[];
  /** A block that was executed for that height. */
  readonly findBlock: (hash: Hash) => Block | undefined;
  /** Called with a block that was asked for; its header commits to its body. */
  readonly received: (block: Block) => void;
}

/**
 * Asks other validators for the block that this node was prepared for and has lost, and serves such requests.
 *
 * Only validators are asked and served. One that sends another block than it was asked for is not heard again at this
 * height.
 */
export class BlockExchange {
  readonly #parts: BlockExchangeParts;
  readonly #peers = new Map<ProtocolPeer, Address>();
  /** How often each validator was served since the height began. */
  readonly #served = new Map<Address, number>();
  /** Who sent a wrong block since the height began. */
  readonly #liars = new Set<Address>();
  /** Who was asked and has not sent anything since. */
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

  /** Another height has begun: what was asked for has no use any more. */
  heightBegan(): void {
    this.#wanted = undefined;
    this.#asked.clear();
    this.#served.clear();
    this.#liars.clear();
  }

  /** Speaks with a peer, whether it is a validator or not. */
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

  /** Reads a block only if it was asked for, and one of each validator for each request. */
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
