import type {
  ChainReader,
  CommitEvent,
  EngineContext,
  Health,
  Logger,
  PluginTable,
  ProtocolPeer,
  Runtime,
  SealedHeader,
} from "@plinth/core";
import type { BadBlock } from "@plinth/core/chain";
import type { EngineKey } from "@plinth/core/consensus";
import {
  type AuthorityCheckpoints,
  type AuthorityHistory,
  openProposals,
  SignedMark,
  type Signing,
  type StandingProposals,
  type Proposal as VoteProposal,
} from "@plinth/kit-poa";
import { BlockForm } from "../blocks/block-form.js";
import type { BftExtraDataCodec } from "../blocks/extra-data.js";
import { HeaderRules } from "../blocks/header-rules.js";
import type { ConfigAt } from "../genesis/config-at.js";
import type { BftSettings, BftTransition } from "../genesis/settings.js";
import { Evidence } from "../height/evidence.js";
import { Journal } from "../height/journal.js";
import type { Dialect } from "../messages/dialect.js";
import type { Proposal, RoundChange } from "../messages/messages.js";
import { Validator } from "../session/validator.js";
import { type BlockNoted, ValidatorPeers } from "../session/validator-peers.js";
import { type SizedSession, ValidatorSession } from "../session/validator-session.js";
import type { ValidatorSource } from "../validators/validators.js";
import { BftEngine } from "./bft-engine.js";
import type { ConsensusMetrics } from "./consensus-metrics.js";

/**
 * The parts of a BFT engine, and what its plugin received from the node before the chain is known.
 */
export interface BftParts {
  readonly dialect: Dialect;
  readonly codec: BftExtraDataCodec;
  readonly proposals: StandingProposals;
  /** The table of signed messages. */
  readonly journal: PluginTable;
  /**
   * The record beside the database of how far this node has signed, and from where the operator
   * lets it sign.
   */
  readonly signing: Signing;
  /** The table of validators' contradictions. */
  readonly evidence: PluginTable;
  readonly checkpoints: AuthorityCheckpoints;
  readonly log: Logger;
  readonly metrics: ConsensusMetrics;
}

/** The same on a chain. */
export interface ConsensusParts extends BftParts {
  readonly context: EngineContext<BftSettings, BftTransition>;
  readonly config: ConfigAt<BftTransition>;
  readonly source: ValidatorSource;
  /** The validators determined by votes. */
  readonly voted: AuthorityHistory;
  /** The first block of the engine. */
  readonly startBlock: bigint;
  /** Whether the nonce must be zero. */
  readonly isStrict: boolean;
}

const NO_EXCHANGE: SizedSession = { takes: () => false, received() {} };

/** A BFT engine on a chain: its rules, its part in consensus, and its peers. */
export class BftConsensus {
  readonly engine: BftEngine;
  readonly #parts: ConsensusParts;
  readonly #peers: ValidatorPeers;
  readonly #validator: Validator<Proposal, RoundChange> | undefined;
  readonly #evidence: Evidence;

  constructor(parts: ConsensusParts) {
    const { dialect, metrics, codec, context, config, source, isStrict, log } = parts;
    const { settings, key, clock } = context;
    const openJournal = ({ address }: EngineKey) =>
      new Journal(parts.journal, dialect, new SignedMark({ ...parts.signing, address, log }));
    const form = new BlockForm(codec);
    const rules = new HeaderRules({ form, config, clock, isStrict });
    const peers = new ValidatorPeers(settings.gossipedHistoryLimit);
    const evidence = new Evidence(parts.evidence);
    const common = { form, rules, config, source };
    const own = { dialect, settings, evidence, peers, log, metrics };
    const validator = key && new Validator({ ...common, ...own, key, journal: openJournal(key) });
    this.engine = new BftEngine({
      ...common,
      key,
      chain: context.chain,
      voteOn: (parent, chain) => this.#voteOn(parent, chain),
      run: async (host) => validator?.run(host),
    });
    this.#parts = parts;
    this.#peers = peers;
    this.#validator = validator;
    this.#evidence = evidence;
  }

  /** The current height and round of this node. */
  get now(): { readonly height: bigint; readonly round: number } | undefined {
    const { number, machine } = this.#validator?.current ?? {};
    if (number === undefined || machine === undefined) return undefined;
    return { height: number, round: machine.round ?? 0 };
  }

  /**
   * Stores the validators after a block with it; for `chain.commit`. Headers of another engine have
   * another format.
   */
  commit(event: CommitEvent, chain: Pick<ChainReader, "findHeader">): void {
    const { context, voted, startBlock } = this.#parts;
    const number = event.block?.header.number;
    const isOwn =
      number !== undefined && number >= startBlock && number < (context.endBlock ?? number + 1n);
    if (isOwn) voted.commit(event, chain);
  }

  /** Reports a block that would replace a final one; for `chain.badBlock`. */
  badBlock({ error }: Pick<BadBlock, "error">): void {
    if (error.rule === "final") this.#parts.log.error(error.message);
  }

  /** Whether blocks are decided at the intended pace, and why not. */
  health({ clock, production }: Pick<Runtime, "clock" | "production">): Health {
    const reason = this.#validator?.explainWait(clock.now());
    const isStopped = production?.isRunning === false;
    const part = isStopped
      ? "this node signs nothing: its production was stopped"
      : this.#describePart();
    const obstacle = this.#validator?.current?.obstacle;
    const held = obstacle && `this node signs nothing: ${obstacle}`;
    const notes = [part, held, this.#evidence.describe()];
    if (held !== undefined) return { status: "degraded", detail: joined(notes) };
    if (reason !== undefined) return { status: "degraded", detail: joined([reason, ...notes]) };
    const detail = joined(notes);
    return detail === "" ? { status: "up" } : { status: "up", detail };
  }

  /** Opens a session with a peer, whether it is a validator or not. */
  connect(peer: ProtocolPeer, codes: readonly number[], blockNoted?: BlockNoted): SizedSession {
    const address = this.#peers.add(peer, blockNoted);
    this.#validator?.connected(peer, address);
    return new ValidatorSession(peer, codes, {
      takes: (from, code, bytes) => this.#validator?.takes(from, code, bytes) === true,
      received: (from, code, payload) => this.#validator?.received(from, code, payload),
      ended: (ended, { reason }) => this.#peers.remove(ended, reason),
    });
  }

  /** Requests blocks from a peer, and serves it; a node that is not a validator does neither. */
  exchange(peer: ProtocolPeer): SizedSession {
    return this.#validator?.exchange.connect(peer) ?? NO_EXCHANGE;
  }

  /** A node whose key is not that of a validator only follows the chain. */
  #describePart(): string | undefined {
    const current = this.#validator?.current;
    const isSigning = current?.machine !== undefined || current?.obstacle !== undefined;
    if (current === undefined || isSigning) return undefined;
    const { key } = this.#parts.context;
    return `this node signs nothing: its address ${key?.address} is not one of the ${current.validators.length} validators of block ${current.number}`;
  }

  async #voteOn(parent: SealedHeader, chain: ChainReader): Promise<VoteProposal | undefined> {
    const { context, voted, proposals } = this.#parts;
    if (context.key === undefined) return undefined;
    const standing = await proposals.list();
    return openProposals(standing, voted.after(parent, chain), context.key.address)[0];
  }
}

function joined(sentences: readonly (string | undefined)[]): string {
  return sentences.filter((each) => each !== undefined).join(". ");
}
