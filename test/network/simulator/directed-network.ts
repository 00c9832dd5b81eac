import {
  type Address,
  type Block,
  getCrypto,
  type Hash,
  type Hex,
  hexToBytes,
  InvalidBlock,
  type ProtocolPeer,
} from "@plinth/core";
import type { BftMessage, Dialect, Proposal, RoundChange, Sign } from "@plinth/kit-bft";
import { FakeClock } from "@plinth/testing";
import type { WireMessage } from "./byzantine.js";
import { Invariants } from "./invariants.js";
import { createBody } from "./simulated-bodies.js";
import { createSimulatedSign } from "./simulated-signatures.js";
import { SimulatedValidator } from "./simulated-validator.js";
import { genesisOf, type SimulatedEngine, START_MS } from "./simulation.js";

/** A message in flight from one validator to another, by their indexes. */
export interface Passage<P extends Proposal, R extends RoundChange> {
  readonly message: BftMessage<P, R>;
  readonly from: number;
  readonly to: number;
}

/** The fate of a message: what arrives instead, in this order; nothing if it is lost. */
export type Route<P extends Proposal, R extends RoundChange> = (
  passage: Passage<P, R>,
) => Promise<readonly WireMessage[]> | readonly WireMessage[];

const DELAY_MS = 5;

/**
 * Validators on a network controlled by a test, message by message.
 *
 * They are in the order of their addresses, so that number `r` proposes block 1 in round `r`.
 */
export class DirectedNetwork<P extends Proposal, R extends RoundChange> {
  /** Passes everything until a test changes it. */
  route: Route<P, R> = ({ message }) => [message];
  readonly nodes: readonly SimulatedValidator<P, R>[];
  readonly invariants: Invariants;
  readonly #engine: SimulatedEngine<P, R>;
  readonly #clock = new FakeClock(START_MS);
  readonly #peers = new Map<string, ProtocolPeer>();
  readonly #liars: ReadonlySet<number>;
  /** The nodes that no block reaches or leaves. */
  #alone = new Set<number>();
  #built = 0;

  /** Liars are given with their dialect. */
  constructor(
    engine: SimulatedEngine<P, R>,
    count: number,
    liars: ReadonlyMap<number, Dialect<P, R>>,
  ) {
    const keys = Array.from({ length: count }, (_, index) => keyOf(index + 1)).sort((a, b) =>
      addressOf(a) < addressOf(b) ? -1 : 1,
    );
    const validators = keys.map(addressOf);
    const genesis = genesisOf(engine, validators);
    this.#engine = engine;
    this.#liars = new Set(liars.keys());
    this.invariants = new Invariants(engine.form, engine.wire);
    this.nodes = keys.map(
      (key, index) =>
        new SimulatedValidator({
          ...{ key, validators, genesis, clock: this.#clock },
          form: { ...engine, dialect: liars.get(index) ?? engine.dialect },
          sign: createSimulatedSign(key),
          createBody: () => createBody(this.#built++),
          decided: (_, block) => this.#decided(index, block),
        }),
    );
  }

  /** The hashes of a block that honest validators have, or had. */
  hashesAt(number: bigint): readonly Hash[] {
    return this.invariants.hashesAt(number);
  }

  /** Signs like a validator. */
  signOf(index: number): Sign {
    return createSimulatedSign(this.nodes[index]?.key ?? "0x");
  }

  /** Starts validators, and connects them with the running ones. */
  start(...indexes: readonly number[]): void {
    for (const index of indexes) this.nodes[index]?.start();
    for (const one of indexes) {
      for (const other of this.nodes.keys()) {
        if (other === one || this.nodes[other]?.isRunning !== true) continue;
        this.nodes[one]?.connect(this.#peer(one, other));
        if (!indexes.includes(other)) this.#reconnect(other, one);
      }
    }
  }

  async crash(...indexes: readonly number[]): Promise<void> {
    for (const index of indexes) await this.nodes[index]?.crash({ losesHead: false });
  }

  /** Withholds the blocks of some validators from the others. */
  isolate(...indexes: readonly number[]): void {
    this.#alone = new Set(indexes);
  }

  /** Gives every validator the blocks that others have. */
  synchronize(): void {
    this.#alone = new Set();
    for (const from of this.nodes.keys()) this.#offer(from);
  }

  advance(ms: number): Promise<void> {
    return this.#clock.advance(ms);
  }

  async close(): Promise<void> {
    await this.crash(...this.nodes.keys());
  }

  #reconnect(one: number, other: number): void {
    const known = this.#peers.get(`${one} ${other}`);
    if (known !== undefined) this.nodes[one]?.disconnect(known);
    this.nodes[one]?.connect(this.#peer(one, other));
  }

  /** The node `to` as the node `from` sees it. */
  #peer(from: number, to: number): ProtocolPeer {
    const peer = {
      id: this.nodes[to]?.id ?? "0x",
      enode: { host: "127.0.0.1" },
      send: (code: number, bytes: Uint8Array) => {
        this.#send(from, to, { code, bytes }).catch((error: unknown) => {
          this.invariants.problems.push(`a message could not be sent: ${error}`);
        });
        return true;
      },
    } as unknown as ProtocolPeer;
    this.#peers.set(`${from} ${to}`, peer);
    return peer;
  }

  async #send(from: number, to: number, { code, bytes }: WireMessage): Promise<void> {
    const author = this.nodes[from];
    if (author?.isRunning !== true) return;
    const message = this.#engine.dialect.decode(code, bytes);
    const isHonest = message.author === author.address && !this.#liars.has(from);
    if (isHonest) this.invariants.sent(message);
    for (const each of await this.route({ message, from, to })) this.deliver(from, to, each);
  }

  /** Delivers a message, whatever the route. */
  deliver(from: number, to: number, { code, bytes }: WireMessage): void {
    this.#clock.after(DELAY_MS, () => {
      const peer = this.#peers.get(`${to} ${from}`);
      if (peer !== undefined) this.nodes[to]?.received(peer, code, bytes);
    });
  }

  #decided(index: number, block: Block): void {
    if (this.#liars.has(index)) return;
    const node = this.nodes[index];
    this.invariants.committed(block, (each) => node?.verifyImported(each));
    this.#clock.after(DELAY_MS, () => this.#offer(index));
  }

  #offer(from: number): void {
    const source = this.nodes[from];
    for (const [to, node] of this.nodes.entries()) {
      if (to === from || this.#alone.has(from) || this.#alone.has(to)) continue;
      const block = source?.chain.blockAt(node.chain.head().number + 1n);
      try {
        if (block !== undefined) node.import(block);
      } catch (error) {
        if (!(error instanceof InvalidBlock)) throw error;
      }
    }
  }
}

function keyOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function addressOf(key: Hex): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
}
