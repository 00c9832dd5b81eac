import type {
  ChainReader,
  CommitEvent,
  EngineContext,
  Health,
  Logger,
  PluginTable,
  ProtocolPeer,
  ProtocolSession,
  SealedHeader,
} from "@plinth/core";
import {
  type AuthorityHistory,
  openProposals,
  type StandingProposals,
  type Proposal as VoteProposal,
} from "@plinth/kit-poa";
import { BftEngine } from "./bft-engine.js";
import { BlockForm } from "./block-form.js";
import type { ConfigAt } from "./config-at.js";
import type { ConsensusMetrics } from "./consensus-metrics.js";
import type { Dialect } from "./dialect.js";
import type { BftExtraDataCodec } from "./extra-data.js";
import { HeaderRules } from "./header-rules.js";
import { Journal } from "./journal.js";
import type { Proposal, RoundChange } from "./messages.js";
import type { BftSettings, BftTransition } from "./settings.js";
import { Validator } from "./validator.js";
import { ValidatorPeers } from "./validator-peers.js";
import { ValidatorSession } from "./validator-session.js";
import type { ValidatorSource } from "./validators.js";

/** What a BFT engine brings, and what its plugin got from the node. */
export interface ConsensusParts<P extends Proposal, R extends RoundChange> {
  readonly dialect: Dialect<P, R>;
  readonly codec: BftExtraDataCodec;
  readonly context: EngineContext<BftSettings, BftTransition>;
  readonly config: ConfigAt<BftTransition>;
  readonly source: ValidatorSource;
  /** The validators as votes change them. */
  readonly voted: AuthorityHistory;
  readonly proposals: StandingProposals;
  /** Where what this node signs is written down. */
  readonly journal: PluginTable;
  /** The first block of the engine; block 0 when left out. */
  readonly startBlock?: bigint;
  /** Whether the nonce and the hash of the uncles have rules. */
  readonly isStrict: boolean;
  readonly log: Logger;
  readonly metrics: ConsensusMetrics;
}

/** A BFT engine on a chain: its rules, its part in consensus, and its peers. */
export class BftConsensus<P extends Proposal, R extends RoundChange> {
  readonly engine: BftEngine;
  readonly settings: BftSettings;
  readonly source: ValidatorSource;
  readonly proposals: StandingProposals;
  readonly #parts: ConsensusParts<P, R>;
  readonly #peers: ValidatorPeers;
  readonly #validator: Validator<P, R> | undefined;

  constructor(parts: ConsensusParts<P, R>) {
    const { dialect, metrics, codec, context, config, source, proposals, isStrict, log } = parts;
    const { settings, key, clock } = context;
    const form = new BlockForm(codec);
    const rules = new HeaderRules({ codec, form, config, clock, isStrict });
    const peers = new ValidatorPeers(settings.gossipedHistoryLimit);
    const journal = new Journal(parts.journal, dialect);
    const common = { form, rules, config, source };
    const validator =
      key && new Validator({ ...common, dialect, settings, journal, peers, key, log, metrics });
    this.engine = new BftEngine({
      ...common,
      codec,
      key,
      voteOn: (parent, chain) => this.#voteOn(parent, chain),
      run: async (host) => validator?.run(host),
    });
    this.settings = settings;
    this.source = source;
    this.proposals = proposals;
    this.#parts = parts;
    this.#peers = peers;
    this.#validator = validator;
  }

  /** The height and the round that this node takes part in. */
  get now(): { readonly height: bigint; readonly round: number } | undefined {
    const { number, machine } = this.#validator?.current ?? {};
    if (number === undefined || machine === undefined) return undefined;
    return { height: number, round: machine.round ?? 0 };
  }

  /** Keeps the validators after a block with it; for `chain.commit`. Headers of another engine have another form. */
  commit(event: CommitEvent, chain: Pick<ChainReader, "findHeader">): void {
    const { context, voted, startBlock = 0n } = this.#parts;
    const number = event.block?.header.number;
    const isOwn =
      number !== undefined && number >= startBlock && number < (context.endBlock ?? number + 1n);
    if (isOwn) voted.commit(event, chain);
  }

  /** Whether blocks are decided as they are meant to, and why not. */
  health(now: number): Health {
    const detail = this.#validator?.explainWait(now);
    return detail === undefined ? { status: "up" } : { status: "degraded", detail };
  }

  /** Speaks with a peer, whether it is a validator or not. */
  connect(peer: ProtocolPeer, codes: readonly number[]): ProtocolSession {
    const address = this.#peers.add(peer);
    this.#validator?.connected(peer, address);
    return new ValidatorSession(peer, codes, {
      received: (from, code, payload) => this.#validator?.received(from, code, payload),
      ended: (ended) => this.#peers.remove(ended),
    });
  }

  async #voteOn(parent: SealedHeader, chain: ChainReader): Promise<VoteProposal | undefined> {
    const { context, voted, proposals } = this.#parts;
    if (context.key === undefined) return undefined;
    const standing = await proposals.list();
    return openProposals(standing, voted.after(parent, chain), context.key.address)[0];
  }
}
