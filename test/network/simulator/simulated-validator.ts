import {
  type Address,
  type Block,
  type Clock,
  getCrypto,
  type Hash,
  type Header,
  type Hex,
  hexToBytes,
  type ProducerHost,
  type ProtocolPeer,
  silentLogs,
  toHex,
} from "@plinth/core";
import {
  type BftSettings,
  type BftTransition,
  ConfigAt,
  type Dialect,
  Evidence,
  HeaderRules,
  Journal,
  type Proposal,
  type RoundChange,
  Validator,
  ValidatorPeers,
} from "@plinth/kit-bft";
import { type Mark, SignedMark } from "@plinth/kit-poa";
import { type ChainForm, SimulatedChain } from "./simulated-chain.js";
import { SimulatedDisk } from "./simulated-disk.js";

/** What all validators of a simulation share. */
export interface SimulationForm<P extends Proposal, R extends RoundChange> extends ChainForm {
  readonly dialect: Dialect<P, R>;
  readonly settings: BftSettings;
}

/** What a validator is made with. */
export interface SimulatedValidatorParts<P extends Proposal, R extends RoundChange> {
  readonly form: SimulationForm<P, R>;
  readonly key: Hex;
  readonly validators: readonly Address[];
  readonly genesis: Header;
  readonly clock: Clock;
  /** Awaited before anything is written to the disk. */
  readonly beforeWrite?: () => Promise<void>;
  /** Called with each block that this node committed. */
  readonly decided: (node: SimulatedValidator<P, R>, block: Block) => void;
}

/** A validator with everything that is real about consensus, on a chain, a disk and a network that are not. */
export class SimulatedValidator<P extends Proposal, R extends RoundChange> {
  readonly address: Address;
  readonly id: Hex;
  readonly key: Hex;
  readonly chain: SimulatedChain;
  readonly #parts: SimulatedValidatorParts<P, R>;
  readonly #disk = new SimulatedDisk();
  readonly #rules: HeaderRules;
  /** What the file beside the database says. */
  #markBeside: Mark | undefined;
  #running:
    | {
        validator: Validator<P, R>;
        peers: ValidatorPeers;
        control: AbortController;
        done: Promise<void>;
      }
    | undefined;

  constructor(parts: SimulatedValidatorParts<P, R>) {
    const { form, key, genesis, clock } = parts;
    const publicKey = getCrypto().publicKeyOf(hexToBytes(key));
    this.#parts = parts;
    this.key = key;
    this.id = toHex(publicKey);
    this.address = getCrypto().addressOf(publicKey);
    this.chain = new SimulatedChain(form, genesis);
    const config = configOf(form.settings);
    this.#rules = new HeaderRules({ ...form, config, clock, isStrict: false });
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get round(): number {
    return this.#running?.validator.current?.machine?.round ?? 0;
  }

  /** Whether it decides blocks with the others; false after a fault. */
  get isTakingPart(): boolean {
    return this.#running?.validator.current?.machine !== undefined;
  }

  start(): void {
    const { form, validators, clock } = this.#parts;
    const peers = new ValidatorPeers(form.settings.gossipedHistoryLimit);
    const sign = async (hash: Hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(this.key));
    const authority = { validators, isListed: true };
    const validator = new Validator<P, R>({
      ...form,
      rules: this.#rules,
      source: { after: async () => validators, authorityOn: async () => authority },
      config: configOf(form.settings),
      journal: new Journal(
        this.#disk.open(this.#parts.beforeWrite),
        form.dialect,
        this.#openMark(),
      ),
      peers,
      key: { address: this.address, sign },
      log: silentLogs.for("simulated"),
      evidence: new Evidence(new SimulatedDisk().open()),
      metrics: { message() {}, roundChange() {}, at() {}, missed() {}, contradiction() {} },
    });
    const control = new AbortController();
    const host: ProducerHost = {
      signal: control.signal,
      clock,
      sign,
      chain: {
        findHeader: (hash) => this.chain.findHeader(hash),
        findBlock: () => undefined,
        findTotalDifficulty: () => undefined,
      },
      head: () => this.chain.head(),
      heads: (signal = control.signal) => this.chain.heads(signal),
      hasTransactions: () => false,
      build: async ({ parent = this.chain.head(), timestamp }) =>
        this.chain.build(parent, { timestamp, self: this.address, validators }),
      execute: async (block) => this.chain.execute(block),
      submit: async (built, header = built.block.header) => {
        // A node that crashed commits nothing.
        if (!control.signal.aborted) this.#commit({ header, body: built.block.body });
        return this.chain.head();
      },
    };
    this.#running = { validator, peers, control, done: validator.run(host) };
  }

  #openMark(): SignedMark {
    const file = {
      name: "signed.json",
      read: async () => this.#markBeside ?? ("missing" as const),
      write: async (mark: Mark) => {
        this.#markBeside = mark;
      },
    };
    const { address } = this;
    const log = silentLogs.for("simulated");
    return new SignedMark({ file, address, signFrom: undefined, option: "--sign-from", log });
  }

  /** Ends it at once; what was not durable is lost, and perhaps the last block. */
  async crash({ losesHead }: { readonly losesHead: boolean }): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const isHeadLost = losesHead && this.#disk.hasUnsyncedBlock;
    this.#running = undefined;
    this.#disk.crash();
    running.control.abort();
    await running.done;
    if (isHeadLost) this.chain.loseHead();
  }

  connect(peer: ProtocolPeer, lagsBehind?: () => void): void {
    const running = this.#running;
    const address = running?.peers.add(peer, lagsBehind);
    if (address !== undefined) running?.validator.connected(peer, address);
  }

  disconnect(peer: ProtocolPeer): void {
    this.#running?.peers.remove(peer, "tcp-error");
  }

  received(from: ProtocolPeer, code: number, payload: Uint8Array): void {
    this.#running?.validator.received(from, code, payload);
  }

  /** Imports a block that another node has; throws when it is not final. */
  import(block: Block): void {
    const { validators } = this.#parts;
    if (!this.isRunning || block.header.parentHash !== this.chain.head().hash) return;
    const parent = this.chain.head();
    this.chain.execute(block);
    this.#rules.verifyUnsealed(block.header, parent, { validators, isListed: true });
    this.#rules.verifySeals(block.header, validators);
    this.#commit(block);
  }

  #commit(block: Block): void {
    if (!this.chain.append(block)) return;
    this.#disk.blockWritten();
    this.#parts.decided(this, block);
  }
}

function configOf(settings: BftSettings): ConfigAt<BftTransition> {
  return new ConfigAt(settings, [], {
    activations: [],
    at: () => "london",
    isActive: () => false,
  });
}
