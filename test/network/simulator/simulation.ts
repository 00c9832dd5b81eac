import {
  type Address,
  type Block,
  decodeRlp,
  encodeRlp,
  getCrypto,
  type Header,
  type Hex,
  hexToBytes,
  InvalidBlock,
  type ProtocolPeer,
  type ProtocolSession,
  type Rlp,
  RlpError,
  ZERO_HASH,
} from "@plinth/core";
import { blockFromRlp, blockToRlp, NO_UNCLES_HASH } from "@plinth/core/blocks";
import {
  BFT_MIX_HASH,
  type BftMessage,
  type BlockAuthority,
  type Proposal,
  type RoundChange,
} from "@plinth/kit-bft";
import { createRandom, FakeClock } from "@plinth/testing";
import { AMNESIAC, createLiar, type Liar, TWIN, type WireMessage } from "./byzantine.js";
import type { Fault, Schedule } from "./faults.js";
import { Invariants } from "./invariants.js";
import { createBody } from "./simulated-bodies.js";
import type { ChainForm } from "./simulated-chain.js";
import { createSimulatedSign } from "./simulated-signatures.js";
import {
  type NodeSnapshot,
  SimulatedValidator,
  type SimulationForm,
} from "./simulated-validator.js";
import type { WireForm } from "./wire-form.js";

/** The start time of simulations. */
export const START_MS = 1_700_000_000_000;
/** How messages travel after all faults have ended. */
const FAIR_DELAY_MS = 10;
const FAIR_JITTER_MS = 20;
/** Number of blocks required after the faults have ended. */
const BLOCKS_AFTER = 2n;
const MAX_ROUNDS_AFTER = 8;
const LIMIT_MS = 15 * 60_000;
const LIAR_DELAY_MS = 1;
/** How long the others are down when one is isolated with its block. */
/** The code of a requested block. */
const BLOCK_CODE = 1;
const RESTART_MS = 50;

/** The fault of a run. */
export class Violation extends Error {}

/** An engine for simulation. */
export interface SimulatedEngine<P extends Proposal, R extends RoundChange>
  extends SimulationForm<P, R> {
  readonly wire: WireForm;
}

/** The result of a run. */
export interface Outcome {
  readonly height: bigint;
  /** Maximum number of rounds of a height after the faults had ended. */
  readonly rounds: number;
  /** How long it took until blocks resumed. */
  readonly resumedAfterMs: number;
}

interface Link {
  readonly ends: readonly [number, number];
  /** How each end sees the other. */
  readonly peers: readonly [ProtocolPeer, ProtocolPeer];
}

type FaultOf<K extends Fault["kind"]> = Extract<Fault, { readonly kind: K }>;

/**
 * Validators on a failing network, under a simulated clock: the same schedule always leads to the
 * same run.
 */
export class Simulation<P extends Proposal, R extends RoundChange> {
  readonly #engine: SimulatedEngine<P, R>;
  readonly #schedule: Schedule;
  readonly #clock = new FakeClock(START_MS);
  readonly #random: () => number;
  readonly #validators: readonly Address[];
  readonly #nodes: readonly SimulatedValidator<P, R>[];
  /** Twins come after the validators of the schedule: maps each to its original. */
  readonly #twins: readonly number[];
  readonly #liars = new Map<number, Liar<P, R>>();
  /** What liars have changed. */
  readonly #changed = new Set<string>();
  readonly #links = new Map<string, Link>();
  readonly #copies = new Map<number, NodeSnapshot>();
  readonly #invariants: Invariants;
  #groups: readonly number[] = [];
  #lost: FaultOf<"lose"> | undefined;
  #isolation: FaultOf<"isolate decider"> | undefined;
  #areFaultsOver = false;
  #blocksBuilt = 0;

  constructor(engine: SimulatedEngine<P, R>, schedule: Schedule) {
    this.#engine = engine;
    this.#schedule = schedule;
    this.#random = createRandom(schedule.seed + 1);
    this.#invariants = new Invariants(engine.form, engine.wire);
    const own = Array.from({ length: schedule.validators }, (_, index) => keyOf(index + 1));
    this.#twins = Object.entries(schedule.byzantine).flatMap(([index, lies]) =>
      lies.includes(TWIN) ? [Number(index)] : [],
    );
    const keys = [...own, ...this.#twins.map((index) => own[index] ?? "0x")];
    this.#validators = own.map(addressOfKey);
    const genesis = genesisOf(engine, [...this.#validators].sort());
    this.#nodes = keys.map((key, index) => this.#createNode(key, index, genesis));
  }

  #createNode(key: Hex, index: number, genesis: Header): SimulatedValidator<P, R> {
    const engine = this.#engine;
    const { transitions } = this.#schedule;
    const sign = createSimulatedSign(key);
    const lies = this.#schedule.byzantine[this.#originalOf(index)];
    const [random, validators, changed] = [this.#random, this.#validators, this.#changed];
    const liar = lies && createLiar(lies, { ...engine, sign, random, validators, changed });
    if (liar !== undefined) this.#liars.set(index, liar);
    return new SimulatedValidator({
      form: liar === undefined ? engine : { ...engine, dialect: liar.dialect },
      key,
      sign,
      genesis,
      validators,
      clock: this.#clock,
      authorityAt: (number) => this.#authorityAt(number),
      transitions: transitions.flatMap(({ block, blockPeriodSeconds }) =>
        blockPeriodSeconds === undefined ? [] : [{ block, blockPeriodSeconds }],
      ),
      createBody: () => createBody(this.#blocksBuilt++),
      decided: (node, block) => this.#decided(node, block),
      accused: (author) => this.#accused(author),
      failed: (error) => this.#failed(index, error),
    });
  }

  #authorityAt(number: bigint): BlockAuthority {
    const active = this.#schedule.transitions.filter(({ block }) => BigInt(block) <= number);
    const members = active.findLast((each) => each.validators !== undefined)?.validators;
    const validators = members?.map((index) => this.#validators[index] ?? "0x");
    return {
      validators: [...(validators ?? this.#validators)].sort(),
      isListed: active.findLast((each) => each.isListed !== undefined)?.isListed ?? true,
    };
  }

  #originalOf(index: number): number {
    return this.#twins[index - this.#schedule.validators] ?? index;
  }

  /** Runs it to its end; rejects with `Violation` if an invariant was broken. */
  async run(): Promise<Outcome> {
    for (const node of this.#nodes) node.start();
    this.#reconnect();
    try {
      let now = 0;
      for (const fault of this.#schedule.faults) {
        await this.#advance(fault.at - now);
        now = Math.max(now, fault.at);
        await this.#apply(fault);
      }
      await this.#advance(this.#schedule.endsAt - now);
      await this.#endFaults();
      return await this.#resume();
    } finally {
      for (const node of this.#nodes) await node.crash({ losesHead: false });
    }
  }

  /** Blocks must resume soon. */
  async #resume(): Promise<Outcome> {
    const began = this.#clock.now();
    const honest = this.#honest();
    const before = Math.max(...honest.map(({ round }) => round));
    const from = this.#invariants.highest;
    let resumedAfterMs: number | undefined;
    let rounds = 0;
    while (honest.some(({ chain }) => chain.head().number < from + BLOCKS_AFTER)) {
      if (this.#clock.now() - began > LIMIT_MS) this.#violated(`no block after ${LIMIT_MS} ms`);
      await this.#advance(100);
      if (honest.some(({ chain }) => chain.head().number > from)) {
        resumedAfterMs ??= this.#clock.now() - began;
      } else {
        rounds = Math.max(rounds, ...honest.map(({ round }) => round - before));
      }
      if (rounds > MAX_ROUNDS_AFTER) this.#violated(`${rounds} rounds after the faults had ended`);
    }
    return { height: from + BLOCKS_AFTER, rounds, resumedAfterMs: resumedAfterMs ?? 0 };
  }

  async #advance(ms: number): Promise<void> {
    if (ms > 0) await this.#clock.advance(ms);
    const [problem] = this.#invariants.problems;
    if (problem !== undefined) this.#violated(problem);
  }

  async #apply(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case "partition":
        this.#groups = fault.groups;
        break;
      case "heal":
        this.#groups = [];
        break;
      case "crash":
        await this.#nodes[fault.node]?.crash(fault);
        break;
      case "start":
        await this.#start(fault.node);
        break;
      case "crash at write":
        this.#nodes[fault.node]?.crashAtWrite(fault, () =>
          this.#clock.after(fault.restartsAfterMs, () => void this.#start(fault.node)),
        );
        break;
      case "lose":
        this.#lost = fault;
        break;
      case "lose nothing":
        this.#lost = undefined;
        break;
      case "isolate decider":
        this.#isolation = fault;
        break;
      default:
        await this.#applyToDatabase(fault);
    }
    this.#reconnect();
  }

  async #applyToDatabase({
    kind,
    node: index,
  }: FaultOf<"copy" | "restore" | "erase" | "damage">): Promise<void> {
    const node = this.#nodes[index];
    if (node === undefined) return;
    if (kind === "copy") this.#copies.set(index, node.snapshot());
    if (node.isRunning) return;
    const copy = this.#copies.get(index);
    if (kind === "restore" && copy !== undefined) node.restore(copy);
    if (kind === "erase") node.erase({ withFile: false });
    if (kind === "damage") await node.damageBody(this.#engine.wire);
  }

  async #endFaults(): Promise<void> {
    this.#areFaultsOver = true;
    this.#groups = [];
    this.#lost = undefined;
    this.#isolation = undefined;
    for (const node of this.#nodes) node.survivesWrites();
    for (const index of this.#nodes.keys()) await this.#start(index);
    this.#reconnect();
    // Real synchronization repeats requests until it has what a peer announced; the simulated one
    // sends one.
    for (const { ends } of this.#links.values()) {
      this.#offer(ends[0], ends[1]);
      this.#offer(ends[1], ends[0]);
    }
  }

  async #start(index: number): Promise<void> {
    const node = this.#nodes[index];
    await node?.stopped;
    if (node === undefined || node.isRunning) return;
    const isAmnesiac = this.#schedule.byzantine[index]?.includes(AMNESIAC) === true;
    if (isAmnesiac) node.erase({ withFile: true });
    // Its peers notice that it was gone.
    for (const [name, { ends }] of [...this.#links]) if (ends.includes(index)) this.#cut(name);
    node.start();
    this.#reconnect();
  }

  /** Isolates one node; the others restart before they receive its block. */
  #isolate(decider: number, { restarts, forMs }: FaultOf<"isolate decider">): void {
    this.#isolation = undefined;
    const groups = this.#nodes.map((_, index) => (index === decider ? 1 : 0));
    this.#groups = groups;
    this.#reconnect();
    this.#clock.after(forMs, () => {
      if (this.#groups !== groups) return;
      this.#groups = [];
      this.#reconnect();
    });
    if (!restarts) return;
    this.#clock.after(0, () => {
      for (const [index, node] of this.#nodes.entries()) {
        if (index !== decider) void node.crash({ losesHead: false });
      }
      this.#reconnect();
    });
    this.#clock.after(RESTART_MS, () => {
      for (const index of this.#nodes.keys()) void this.#start(index);
    });
  }

  /** Connects the nodes that reach each other, and disconnects the others. */
  #reconnect(): void {
    for (const one of this.#nodes.keys()) {
      for (let other = one + 1; other < this.#nodes.length; other++) {
        const name = `${one} ${other}`;
        const isUp =
          this.#nodes[one]?.isRunning === true &&
          this.#nodes[other]?.isRunning === true &&
          this.#groupOf(one) === this.#groupOf(other);
        if (isUp && !this.#links.has(name)) this.#link(name, one, other);
        if (!isUp) this.#cut(name);
      }
    }
  }

  /** Twins are on different sides. */
  #groupOf(index: number): number {
    const original = this.#originalOf(index);
    const group = this.#groups[original] ?? 0;
    return original === index || this.#groups.length === 0 ? group : 1 - group;
  }

  #link(name: string, one: number, other: number): void {
    const link: Link = {
      ends: [one, other],
      peers: [this.#peer(name, one, other), this.#peer(name, other, one)],
    };
    this.#links.set(name, link);
    // A node that detects that it lags behind requests blocks.
    this.#nodes[one]?.connect(link.peers[0], () => this.#offer(other, one));
    this.#nodes[other]?.connect(link.peers[1], () => this.#offer(one, other));
    this.#linkExchange(name, one, other);
    this.#offer(one, other);
    this.#offer(other, one);
  }

  /** Lets both ends request blocks from each other. */
  #linkExchange(name: string, one: number, other: number): void {
    const sessions = new Map<number, ProtocolSession>();
    const connect = (from: number, to: number) => {
      const peer = {
        id: this.#nodes[to]?.id ?? "0x",
        protocol: { name: "blocks", version: 1 },
        send: (code: number, bytes: Uint8Array) => {
          const sent = this.#exchanged(from, { code, bytes });
          this.#travel(name, () => void this.#hear(sessions.get(to), sent));
          return true;
        },
      } as unknown as ProtocolPeer;
      const session = this.#nodes[from]?.exchange(peer);
      if (session !== undefined) sessions.set(from, session);
    };
    connect(one, other);
    connect(other, one);
  }

  /** A message of the exchange, in which a liar may replace the block. */
  #exchanged(from: number, { code, bytes }: WireMessage): WireMessage {
    const liar = this.#liars.get(from);
    if (code !== BLOCK_CODE || liar === undefined) return { code, bytes };
    const [block = []] = decodeRlp(bytes) as readonly Rlp[];
    return { code, bytes: encodeRlp([blockToRlp(liar.blockFor(blockFromRlp(block)))]) };
  }

  async #hear(session: ProtocolSession | undefined, { code, bytes }: WireMessage): Promise<void> {
    try {
      await session?.received(code, bytes);
    } catch (error) {
      if (!(error instanceof RlpError)) throw error;
    }
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
          this.#invariants.problems.push(`a message could not be sent: ${error}`);
        });
        return true;
      },
    };
    return peer as unknown as ProtocolPeer;
  }

  async #send(
    link: string,
    sent: WireMessage & { readonly from: number; readonly to: number },
  ): Promise<void> {
    const { from, to } = sent;
    const author = this.#nodes[from];
    // A crashed node sends nothing of what it was about to send.
    if (author?.isRunning !== true) return;
    const message = this.#engine.dialect.decode(sent.code, sent.bytes);
    const isOwn = message.author === author.address;
    const liar = this.#liars.get(from);
    if (isOwn && liar === undefined) this.#invariants.sent(message);
    const messages = (await liar?.send(message, { recipient: to, isOwn })) ?? [message];
    for (const each of messages) {
      // A liar is first.
      const arrive = () => this.#deliver(link, to, each);
      if (each !== message) this.#arriveAfter(link, LIAR_DELAY_MS, arrive);
      else if (!this.#isLost(message, to)) this.#travel(link, arrive);
    }
  }

  #isLost({ kind, round }: BftMessage<P, R>, to: number): boolean {
    const lost = this.#lost;
    if (lost === undefined || lost.reachesOnly === to) return false;
    return kind === lost.message && round < lost.belowRound;
  }

  #deliver(link: string, to: number, { code, bytes }: WireMessage): void {
    const found = this.#links.get(link);
    const peer = found?.ends[0] === to ? found.peers[0] : found?.peers[1];
    if (peer !== undefined) this.#nodes[to]?.received(peer, code, bytes);
  }

  /** Delays a message, and may lose or duplicate it during faults. */
  #travel(link: string, arrive: () => void): void {
    const { delayMs, jitterMs, loss, duplication } = this.#areFaultsOver
      ? { delayMs: FAIR_DELAY_MS, jitterMs: FAIR_JITTER_MS, loss: 0, duplication: 0 }
      : this.#schedule.weather;
    const once = () =>
      this.#arriveAfter(link, delayMs + Math.floor(this.#random() * (jitterMs + 1)), arrive);
    if (this.#random() >= loss) once();
    if (this.#random() < duplication) once();
  }

  /** Messages in flight over a closed connection are lost. */
  #arriveAfter(link: string, ms: number, arrive: () => void): void {
    const began = this.#links.get(link);
    if (began === undefined) return;
    this.#clock.after(ms, () => {
      if (this.#links.get(link) === began) arrive();
    });
  }

  #decided(node: SimulatedValidator<P, R>, block: Block): void {
    const index = this.#nodes.indexOf(node);
    if (this.#liars.has(index)) return;
    this.#invariants.committed(block, (each) => node.verifyImported(each));
    if (this.#isolation !== undefined) this.#isolate(index, this.#isolation);
    for (const other of this.#nodes.keys()) if (other !== index) this.#offer(index, other);
  }

  /** Sends what the other lacks, like block gossip and synchronization. */
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
          receiver.import(this.#liars.get(from)?.blockFor(block) ?? block);
        } catch (error) {
          if (!(error instanceof InvalidBlock) && !(error instanceof RlpError)) throw error;
        }
        if (receiver.chain.head().number < next) return;
      }
    });
  }

  /** Only a liar may be found to contradict itself. */
  #accused(author: Address): void {
    const isHonest = this.#honest().some(({ address }) => address === author);
    if (isHonest) this.#invariants.problems.push(`${author} is honest and was accused`);
  }

  #failed(index: number, error: unknown): void {
    if (this.#liars.has(index)) return;
    this.#invariants.problems.push(`validator ${index} ended: ${error}`);
  }

  #honest(): readonly SimulatedValidator<P, R>[] {
    return this.#nodes.filter((_, index) => !this.#liars.has(index));
  }

  #violated(problem: string): never {
    throw new Violation(`${problem}; seed ${this.#schedule.seed}`);
  }
}

function keyOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function addressOfKey(key: Hex): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key)));
}

/** The genesis block of a simulated chain. */
export function genesisOf(
  { codec }: Pick<ChainForm, "codec">,
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
