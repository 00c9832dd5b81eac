import {
  type Address,
  type Block,
  type Body,
  type Clock,
  decodeRlp,
  encodeRlp,
  getCrypto,
  type Hash,
  type Header,
  type Hex,
  hexToBytes,
  InvalidBlock,
  type ProducerHost,
  type ProtocolPeer,
  type ProtocolSession,
  type Rlp,
  t,
  toHex,
} from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import {
  type BftSettings,
  type BftTransition,
  type BlockAuthority,
  bftTransition,
  ConfigAt,
  type Dialect,
  Evidence,
  HeaderRules,
  Journal,
  type Proposal,
  type RoundChange,
  type Sign,
  Validator,
  ValidatorPeers,
} from "@plinth/kit-bft";
import { SignedMark } from "@plinth/kit-poa";
import { type ChainForm, type ChainSnapshot, SimulatedChain } from "./simulated-chain.js";
import { type DiskSnapshot, SimulatedDisk, type WriteCrash } from "./simulated-disk.js";
import { findItem, type Path, replaceItem, signAgain, type WireForm } from "./wire-form.js";

/** The position of the proposal in a certificate's journal entry. */
const PROPOSAL: Path = [1, 0];

/** What all validators of a simulation share. */
export interface SimulationForm<P extends Proposal, R extends RoundChange> extends ChainForm {
  readonly dialect: Dialect<P, R>;
  readonly settings: BftSettings;
  /** Whether the nonce and the uncles hash have rules; false by default. */
  readonly isStrict?: boolean;
}

/** The inputs of a validator. */
export interface SimulatedValidatorParts<P extends Proposal, R extends RoundChange> {
  readonly form: SimulationForm<P, R>;
  readonly key: Hex;
  readonly validators: readonly Address[];
  readonly genesis: Header;
  readonly clock: Clock;
  /** The validators of each block; `validators` for all of them by default. */
  readonly authorityAt?: (number: bigint) => BlockAuthority;
  readonly transitions?: readonly SimulatedPeriod[];
  /** Signs instead of the key. */
  readonly sign?: Sign;
  /** The content of this node's blocks; empty by default. */
  readonly createBody?: () => Body;
  /** Awaited before anything is written to disk. */
  readonly beforeWrite?: () => Promise<void>;
  /** Called with each block that this node committed. */
  readonly decided: (node: SimulatedValidator<P, R>, block: Block) => void;
  /** Called when this node has found a validator that contradicts itself. */
  readonly accused?: (author: Address) => void;
  /** Called when the validator ended with an error; by default `crash` rejects. */
  readonly failed?: (error: unknown) => void;
}

/** The seconds between blocks from a block on. */
export interface SimulatedPeriod {
  readonly block: number;
  readonly blockPeriodSeconds: number;
}

/** A snapshot that a stopped node can be restored to. */
export interface NodeSnapshot {
  readonly chain: ChainSnapshot;
  readonly disk: DiskSnapshot;
}

/** A validator with real consensus code, on a simulated chain, disk and network. */
export class SimulatedValidator<P extends Proposal, R extends RoundChange> {
  readonly address: Address;
  readonly id: Hex;
  readonly key: Hex;
  readonly chain: SimulatedChain;
  readonly #parts: SimulatedValidatorParts<P, R>;
  readonly #disk = new SimulatedDisk();
  readonly #rules: HeaderRules;
  readonly #config: ConfigAt<BftTransition>;
  #running:
    | {
        validator: Validator<P, R>;
        peers: ValidatorPeers;
        control: AbortController;
        done: Promise<void>;
      }
    | undefined;
  #stopped = Promise.resolve();

  constructor(parts: SimulatedValidatorParts<P, R>) {
    const { form, key, genesis, clock, transitions = [] } = parts;
    const publicKey = getCrypto().publicKeyOf(hexToBytes(key));
    this.#parts = parts;
    this.key = key;
    this.id = toHex(publicKey);
    this.address = getCrypto().addressOf(publicKey);
    this.chain = new SimulatedChain(form, genesis);
    this.#config = configOf(form.settings, transitions);
    const { isStrict = false } = form;
    this.#rules = new HeaderRules({ ...form, config: this.#config, clock, isStrict });
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

  /** Settles when a crashed node is inactive. */
  get stopped(): Promise<void> {
    return this.#stopped;
  }

  start(): void {
    const { form, clock, accused, failed } = this.#parts;
    const peers = new ValidatorPeers(form.settings.gossipedHistoryLimit);
    const sign = this.#parts.sign ?? this.#signReally();
    const validator = new Validator<P, R>({
      ...form,
      rules: this.#rules,
      source: {
        after: async ({ number }) => this.#authorityAt(number + 1n).validators,
        authorityOn: async ({ number }) => this.#authorityAt(number + 1n),
        authorityByHeaders: ({ number }) => this.#authorityAt(number + 1n),
      },
      config: this.#config,
      journal: this.#openJournal(),
      peers,
      key: { address: this.address, sign },
      log: silentLogs.for("simulated"),
      evidence: new Evidence(new SimulatedDisk().open()),
      metrics: {
        message() {},
        roundChange() {},
        at() {},
        missed() {},
        contradiction: (author) => accused?.(author),
      },
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
        this.chain.build(parent, {
          timestamp,
          self: this.address,
          ...this.#authorityAt(parent.number + 1n),
          ...(this.#parts.createBody && { body: this.#parts.createBody() }),
        }),
      execute: async (block) => this.chain.execute(block),
      submit: async (built, header = built.block.header) => {
        // A crashed node commits nothing.
        if (control.signal.aborted) return this.chain.head();
        const block = { header, body: built.block.body };
        this.#commit(block);
        return this.chain.head();
      },
    };
    const done = failed === undefined ? validator.run(host) : validator.run(host).catch(failed);
    this.#running = { validator, peers, control, done };
  }

  #openJournal(): Journal<P, R> {
    const { form, beforeWrite } = this.#parts;
    const table = this.#disk.open(beforeWrite);
    const mark = new SignedMark({
      file: this.#disk.openFile(),
      address: this.address,
      signFrom: undefined,
      option: "--sign-from",
      log: silentLogs.for("simulated"),
    });
    return new Journal(table, form.dialect, mark);
  }

  /** Ends it at once; what was not durable is lost, and possibly the last block. */
  async crash({ losesHead }: { readonly losesHead: boolean }): Promise<void> {
    const running = this.#running;
    if (running === undefined) return this.#stopped;
    const isHeadLost = losesHead && this.#disk.hasUnsyncedBlock;
    this.#running = undefined;
    this.#disk.crash();
    this.#disk.crashAt(undefined);
    running.control.abort();
    this.#stopped = running.done.then(() => {
      if (isHeadLost) this.chain.loseHead();
    });
    return this.#stopped;
  }

  /**
   * Makes one of its next durable writes end in a crash, from which no message leaves; then
   * `crashed` is called.
   */
  crashAtWrite({ write, isWritten }: Omit<WriteCrash, "crash">, crashed: () => void): void {
    const crash = () => {
      void this.crash({ losesHead: true });
      crashed();
    };
    this.#disk.crashAt({ write, isWritten, crash });
  }

  /** Reverts `crashAtWrite`. */
  survivesWrites(): void {
    this.#disk.crashAt(undefined);
  }

  snapshot(): NodeSnapshot {
    return { chain: this.chain.snapshot(), disk: this.#disk.snapshot() };
  }

  /** Restores chain and journal of a stopped node to an earlier time. */
  restore({ chain, disk }: NodeSnapshot): void {
    this.chain.restore(chain);
    this.#disk.restore(disk);
  }

  /**
   * Changes the body of the block that a stopped node was prepared for, on its disk; the proposal
   * is signed for it.
   */
  damageBody(wire: WireForm): Promise<void> {
    return this.#disk.change("certificate", async (entry) => {
      const items = decodeRlp(entry);
      const [code, bytes] = (findItem(items, PROPOSAL) ?? []) as readonly Uint8Array[];
      const { block: path = [] } = wire.places.proposal;
      if (code === undefined || bytes === undefined) return entry;
      const proposal = decodeRlp(bytes);
      const [header = [], transactions = []] = (findItem(proposal, path) ?? []) as readonly Rlp[];
      const message = {
        kind: "proposal" as const,
        code: code[0] ?? 0,
        items: replaceItem(proposal, path, [header, transactions, [header]]),
      };
      const damaged = encodeRlp(await signAgain(wire, message, this.#sign));
      return encodeRlp(replaceItem(items, PROPOSAL, [code, damaged]));
    });
  }

  readonly #sign: Sign = async (hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(this.key));

  /** Removes chain and journal of a stopped node, and optionally the file beside the database. */
  erase({ withFile }: { readonly withFile: boolean }): void {
    this.chain.erase();
    this.#disk.erase();
    if (withFile) this.#disk.eraseFile();
  }

  connect(peer: ProtocolPeer, lagsBehind?: () => void): void {
    const running = this.#running;
    const address = running?.peers.add(peer, lagsBehind);
    if (address !== undefined) running?.validator.connected(peer, address);
  }

  /** Requests lost blocks from a peer, and serves it. */
  exchange(peer: ProtocolPeer): ProtocolSession | undefined {
    return this.#running?.validator.exchange.connect(peer);
  }

  disconnect(peer: ProtocolPeer): void {
    this.#running?.peers.remove(peer, "tcp-error");
  }

  received(from: ProtocolPeer, code: number, payload: Uint8Array): void {
    this.#running?.validator.received(from, code, payload);
  }

  /** Imports a block of another node; throws if it is not final. */
  import(block: Block): void {
    if (!this.isRunning || block.header.parentHash !== this.chain.head().hash) return;
    this.verifyImported(block);
    this.#commit(block);
  }

  /** Throws unless a block on a known parent is valid and final. */
  verifyImported(block: Block): void {
    const parent = this.chain.findHeader(block.header.parentHash);
    if (parent === undefined) throw new InvalidBlock("unknown-parent", "its parent is not known");
    const authority = this.#authorityAt(parent.number + 1n);
    this.#rules.verifyUnsealed(block.header, parent, authority);
    this.#rules.verifySeals(block.header, authority.validators);
    this.chain.verifyImported(block);
  }

  #authorityAt(number: bigint): BlockAuthority {
    const { authorityAt, validators } = this.#parts;
    return authorityAt?.(number) ?? { validators, isListed: true };
  }

  #signReally(): Sign {
    return async (hash: Hash) => getCrypto().sign(hexToBytes(hash), hexToBytes(this.key));
  }

  #commit(block: Block): void {
    if (!this.chain.append(block)) return;
    this.#disk.blockWritten();
    this.#parts.decided(this, block);
  }
}

function configOf(
  settings: BftSettings,
  periods: readonly SimulatedPeriod[],
): ConfigAt<BftTransition> {
  const transitions = periods.map((period) => t.object(bftTransition).decode(period));
  return new ConfigAt(settings, transitions, {
    activations: [],
    at: () => "london",
    isActive: () => false,
  });
}
