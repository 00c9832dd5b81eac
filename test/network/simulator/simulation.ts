import {
  type Address,
  type Block,
  getCrypto,
  type Hash,
  type Header,
  type Hex,
  hexToBytes,
  InvalidBlock,
  NO_UNCLES_HASH,
  type ProtocolPeer,
  RlpError,
  ZERO_HASH,
} from "@plinth/core";
import { createRandom, FakeClock } from "@plinth/core/testing";
import { BFT_MIX_HASH, type BftMessage, type Proposal, type RoundChange } from "@plinth/kit-bft";
import { createLie, type Lie } from "./byzantine.js";
import type { Fault, Schedule } from "./faults.js";
import { SimulatedValidator, type SimulationForm } from "./simulated-validator.js";

const START_MS = 1_700_000_000_000;
/** How messages travel when all faults have ended. */
const FAIR_DELAY_MS = 10;
const FAIR_JITTER_MS = 20;
/** Blocks that must come after the faults have ended. */
const BLOCKS_AFTER = 3n;
const MAX_ROUNDS_AFTER = 8;
const LIMIT_MS = 60 * 60_000;

/** What was wrong with a run. */
export class Violation extends Error {}

/** What a run led to. */
export interface Outcome {
  readonly height: bigint;
  /** The most rounds that a height took after the faults had ended. */
  readonly rounds: number;
  /** How long it took until blocks came again. */
  readonly resumedAfterMs: number;
}

interface Link {
  readonly ends: readonly [number, number];
  /** How each end sees the other. */
  readonly peers: readonly [ProtocolPeer, ProtocolPeer];
}

/** Validators on a network that fails, under a clock of its own: the same schedule always leads to the same run. */
export class Simulation<P extends Proposal, R extends RoundChange> {
  readonly #form: SimulationForm<P, R>;
  readonly #schedule: Schedule;
  readonly #clock = new FakeClock(START_MS);
  readonly #random: () => number;
  readonly #nodes: readonly SimulatedValidator<P, R>[];
  readonly #lies = new Map<number, Lie<P, R>>();
  readonly #links = new Map<string, Link>();
  readonly #final = new Map<bigint, Hash>();
  /** What honest validators have said, by author, kind, height and round. */
  readonly #said = new Map<string, string>();
  readonly #problems: string[] = [];
  #groups: readonly number[] = [];
  #areFaultsOver = false;

  constructor(form: SimulationForm<P, R>, schedule: Schedule) {
    this.#form = form;
    this.#schedule = schedule;
    this.#random = createRandom(schedule.seed + 1);
    const keys = Array.from({ length: schedule.validators }, (_, index) => keyOf(index + 1));
    const validators = keys.map(addressOfKey).sort();
    const genesis = genesisOf(form, validators);
    this.#nodes = keys.map(
      (key) =>
        new SimulatedValidator({
          form,
          key,
          validators,
          genesis,
          clock: this.#clock,
          decided: (node, block) => this.#decided(node, block),
        }),
    );
    for (const [index, name] of Object.entries(schedule.byzantine)) {
      const key = keys[Number(index)];
      if (key === undefined) continue;
      this.#lies.set(
        Number(index),
        createLie(name, { dialect: form.dialect, key, random: this.#random }),
      );
    }
  }

  /** Runs it to its end; rejects with `Violation` when an invariant was broken. */
  async run(): Promise<Outcome> {
    for (const node of this.#nodes) node.start();
    this.#reconnect();
    let now = 0;
    for (const fault of this.#schedule.faults) {
      await this.#advance(fault.at - now);
      now = Math.max(now, fault.at);
      await this.#apply(fault);
    }
    await this.#advance(this.#schedule.endsAt - now);
    await this.#endFaults();
    try {
      return await this.#resume();
    } finally {
      for (const node of this.#nodes) await node.crash({ losesHead: false });
    }
  }

  /** Blocks must come again, and soon. */
  async #resume(): Promise<Outcome> {
    const began = this.#clock.now();
    const before = Math.max(...this.#honest().map(({ round }) => round));
    const from = this.#honest().reduce((most, { chain }) => max(most, chain.head().number), 0n);
    let resumedAfterMs: number | undefined;
    let rounds = 0;
    while (this.#honest().some(({ chain }) => chain.head().number < from + BLOCKS_AFTER)) {
      if (this.#clock.now() - began > LIMIT_MS) this.#violated(`no block after ${LIMIT_MS} ms`);
      await this.#advance(100);
      if (this.#honest().some(({ chain }) => chain.head().number > from)) {
        resumedAfterMs ??= this.#clock.now() - began;
      } else {
        rounds = Math.max(rounds, ...this.#honest().map(({ round }) => round - before));
      }
    }
    if (rounds > MAX_ROUNDS_AFTER) this.#violated(`${rounds} rounds after the faults had ended`);
    return { height: from + BLOCKS_AFTER, rounds, resumedAfterMs: resumedAfterMs ?? 0 };
  }

  async #advance(ms: number): Promise<void> {
    if (ms > 0) await this.#clock.advance(ms);
    const [problem] = this.#problems;
    if (problem !== undefined) this.#violated(problem);
  }

  async #apply(fault: Fault): Promise<void> {
    if (fault.kind === "partition") this.#groups = fault.groups;
    if (fault.kind === "heal") this.#groups = [];
    if (fault.kind === "crash") await this.#nodes[fault.node]?.crash(fault);
    if (fault.kind === "start") this.#start(fault.node);
    this.#reconnect();
  }

  async #endFaults(): Promise<void> {
    this.#areFaultsOver = true;
    this.#groups = [];
    for (const index of this.#nodes.keys()) this.#start(index);
    this.#reconnect();
  }

  #start(index: number): void {
    const node = this.#nodes[index];
    if (node === undefined || node.isRunning) return;
    // Its peers notice that it was gone.
    for (const [name, { ends }] of [...this.#links]) if (ends.includes(index)) this.#cut(name);
    node.start();
  }

  /** Connects the nodes that reach each other, and ends connections of those that do not. */
  #reconnect(): void {
    for (const one of this.#nodes.keys()) {
      for (let other = one + 1; other < this.#nodes.length; other++) {
        const name = `${one} ${other}`;
        const isUp =
          this.#nodes[one]?.isRunning === true &&
          this.#nodes[other]?.isRunning === true &&
          this.#groups[one] === this.#groups[other];
        if (isUp && !this.#links.has(name)) this.#link(name, one, other);
        if (!isUp) this.#cut(name);
      }
    }
  }

  #link(name: string, one: number, other: number): void {
    const link: Link = {
      ends: [one, other],
      peers: [this.#peer(name, one, other), this.#peer(name, other, one)],
    };
    this.#links.set(name, link);
    // A node that notices that it lags behind asks for blocks.
    this.#nodes[one]?.connect(link.peers[0], () => this.#offer(other, one));
    this.#nodes[other]?.connect(link.peers[1], () => this.#offer(one, other));
    this.#offer(one, other);
    this.#offer(other, one);
  }

  #cut(name: string): void {
    const link = this.#links.get(name);
    if (link === undefined) return;
    this.#links.delete(name);
    const [one, other] = link.ends;
    this.#nodes[one]?.disconnect(link.peers[0]);
    this.#nodes[other]?.disconnect(link.peers[1]);
  }

  /** The node `to` as the node `from` sees it. */
  #peer(name: string, from: number, to: number): ProtocolPeer {
    const id = this.#nodes[to]?.id ?? "0x";
    const peer = {
      id,
      enode: { host: "127.0.0.1" },
      send: (code: number, bytes: Uint8Array) => {
        this.#send(name, { from, to, code, bytes }).catch((error: unknown) => {
          this.#problems.push(`a message could not be sent: ${error}`);
        });
        return true;
      },
    };
    return peer as unknown as ProtocolPeer;
  }

  async #send(
    link: string,
    sent: {
      readonly from: number;
      readonly to: number;
      readonly code: number;
      readonly bytes: Uint8Array;
    },
  ): Promise<void> {
    const { from, to } = sent;
    const message = this.#form.dialect.decode(sent.code, sent.bytes);
    const author = this.#nodes[from];
    // A node that has crashed sends nothing of what it was about to send.
    if (author?.isRunning !== true) return;
    const isOwn = message.author === author.address;
    const lie = isOwn ? this.#lies.get(from) : undefined;
    if (isOwn && lie === undefined) this.#verifyConsistent(message);
    const messages = lie === undefined ? [message] : await lie(message, to);
    for (const each of messages) this.#travel(link, () => this.#deliver(link, to, each));
  }

  #deliver(link: string, to: number, { code, bytes }: BftMessage<P, R>): void {
    const found = this.#links.get(link);
    const peer = found?.ends[0] === to ? found.peers[0] : found?.peers[1];
    if (peer !== undefined) this.#nodes[to]?.received(peer, code, bytes);
  }

  /** Takes its time, and may be lost or come twice while faults last. */
  #travel(link: string, arrive: () => void): void {
    const { delayMs, jitterMs, loss, duplication } = this.#areFaultsOver
      ? { delayMs: FAIR_DELAY_MS, jitterMs: FAIR_JITTER_MS, loss: 0, duplication: 0 }
      : this.#schedule.weather;
    const once = () => {
      this.#clock.after(delayMs + Math.floor(this.#random() * (jitterMs + 1)), () => {
        if (this.#links.has(link)) arrive();
      });
    };
    if (this.#random() >= loss) once();
    if (this.#random() < duplication) once();
  }

  #decided(node: SimulatedValidator<P, R>, block: Block): void {
    const { number } = block.header;
    const hash = this.#form.form.hashOf(block.header);
    const index = this.#nodes.indexOf(node);
    if (this.#lies.has(index)) return;
    const known = this.#final.get(number);
    if (known !== undefined && known !== hash) {
      this.#problems.push(`two blocks are final at height ${number}: ${known} and ${hash}`);
    }
    this.#final.set(number, hash);
    for (const other of this.#nodes.keys()) if (other !== index) this.#offer(index, other);
  }

  /** Sends what the other lacks, as block gossip and synchronization do. */
  #offer(from: number, to: number): void {
    const name = from < to ? `${from} ${to}` : `${to} ${from}`;
    if (!this.#links.has(name)) return;
    this.#travel(name, () => {
      const [sender, receiver] = [this.#nodes[from], this.#nodes[to]];
      if (sender?.isRunning !== true || receiver?.isRunning !== true) return;
      for (;;) {
        const next = receiver.chain.head().number + 1n;
        const block = sender.chain.blockAt(next);
        if (block === undefined) return;
        try {
          receiver.import(block);
        } catch (error) {
          if (!(error instanceof InvalidBlock) && !(error instanceof RlpError)) throw error;
        }
        if (receiver.chain.head().number < next) return;
      }
    });
  }

  /** An honest validator says one thing only, also after a crash. */
  #verifyConsistent(message: BftMessage<P, R>): void {
    const { kind, height, round, author } = message;
    const content =
      kind === "round-change"
        ? String(message.preparedRound)
        : (message as { digest: Hash }).digest;
    const key = `${author} ${kind} ${height} ${round}`;
    const known = this.#said.get(key);
    if (known !== undefined && known !== content) {
      this.#problems.push(`${author} sent two ${kind}s for height ${height}, round ${round}`);
    }
    this.#said.set(key, content);
  }

  #honest(): readonly SimulatedValidator<P, R>[] {
    return this.#nodes.filter((_, index) => !this.#lies.has(index));
  }

  #violated(problem: string): never {
    throw new Violation(`${problem}; seed ${this.#schedule.seed}`);
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function keyOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function addressOfKey(key: Hex): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
}

/** The block that a simulated chain begins with. */
export function genesisOf<P extends Proposal, R extends RoundChange>(
  { codec }: SimulationForm<P, R>,
  validators: readonly Address[],
): Header {
  return {
    parentHash: ZERO_HASH,
    number: 0n,
    timestamp: BigInt(START_MS / 1000),
    coinbase: `0x${"00".repeat(20)}`,
    stateRoot: ZERO_HASH,
    extraData: codec.encodeGenesis(validators),
    unclesHash: NO_UNCLES_HASH,
    transactionsRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    mixHash: BFT_MIX_HASH,
    nonce: new Uint8Array(8),
  };
}
