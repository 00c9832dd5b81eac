import {
  defineEngine,
  type EngineContext,
  type EngineDefinition,
  type OptionalService,
  type Options,
  type PluginNode,
  type Service,
  unavailable,
} from "@plinth/core";
import { extraDataCodecs, genesisTemplates } from "@plinth/core/consensus";
import { AuthorityCheckpoints, createSigning, StandingProposals } from "@plinth/kit-poa";
import { type BftTemplateSettings, createGenesisTemplate } from "../genesis/genesis-template.js";
import type { BftSettings, BftTransition } from "../genesis/settings.js";
import type { MessageCodes } from "../messages/message-form.js";
import { EXCHANGE_LENGTH } from "../session/block-exchange.js";
import type { BftParts } from "./bft-consensus.js";
import { formatDecided } from "./block-line.js";
import { createMetrics } from "./consensus-metrics.js";
import type { Bft } from "./create-bft.js";

/** The specific parts of a BFT engine. */
export interface BftDefinition<S extends BftSettings, T extends BftTransition, B extends Bft>
  extends Pick<EngineDefinition<S, T>, "settings" | "startBlock">,
    Required<Pick<EngineDefinition<S, T>, "transition" | "precedence" | "check">>,
    Pick<BftParts, "dialect">,
    BftTemplateSettings {
  /** The wire protocol of its messages. */
  readonly protocol: {
    readonly name: string;
    readonly version: number;
    readonly codes: MessageCodes;
  };
  /** The service of its chain for other plugins. */
  readonly service: Service<B["chain"]>;
  /** The operator lets this node sign from this block on. */
  readonly signFrom: number | undefined;
  create(context: EngineContext<S, T>, parts: BftParts): B;
}

/** Records which blocks a peer has. */
interface PeerHeights {
  noteBlock(peer: string, number: bigint): void;
}

/** The node of a plugin that may learn about other peers' blocks. */
type BftNode = Omit<
  PluginNode<Options, { readonly eth: OptionalService<PeerHeights> }>,
  "config" | "rpc"
>;

/**
 * Registers a BFT engine; the returned function finds the engine once a genesis file has selected
 * it.
 */
export function registerBft<S extends BftSettings, T extends BftTransition, B extends Bft>(
  node: BftNode,
  definition: BftDefinition<S, T, B>,
): () => B | undefined {
  const { contribute, hooks, log, network, storage } = node;
  const { codec, dialect, namespace, protocol, settings, transition, precedence } = definition;
  let bft: B | undefined;
  const getConsensus = () => {
    if (bft !== undefined) return bft.consensus;
    throw new Error(`the protocol is only used on ${codec.title} chains`);
  };
  const isOffered = () => bft !== undefined;
  const parts = {
    dialect,
    codec,
    proposals: new StandingProposals(storage.table("proposals")),
    journal: storage.table("journal"),
    signing: createSigning(namespace, definition.signFrom),
    evidence: storage.table("evidence"),
    checkpoints: new AuthorityCheckpoints(storage.table("checkpoints", { isDerived: true })),
    metrics: createMetrics(node.metrics),
    log,
  };
  contribute(extraDataCodecs, codec);
  contribute(genesisTemplates, createGenesisTemplate(definition));
  node.consensus.engine(
    defineEngine({
      key: codec.engine,
      ...{ settings, transition, precedence },
      check: (context) => definition.check(context),
      ...(definition.startBlock && { startBlock: definition.startBlock }),
      create(context: EngineContext<S, T>) {
        bft = definition.create(context, parts);
        return bft.consensus.engine;
      },
    }),
  );
  const codes = Object.values(protocol.codes);
  network.protocol({
    name: protocol.name,
    version: protocol.version,
    length: Math.max(...codes) + 1,
    isOffered,
    connected: (peer, { eth }) =>
      getConsensus().connect(peer, codes, (number) => eth?.noteBlock(peer.id, number)),
  });
  network.protocol({
    name: `${namespace}blk`,
    version: 1,
    length: EXCHANGE_LENGTH,
    isOffered,
    connected: (peer) => getConsensus().exchange(peer),
  });
  node.services.provide(
    definition.service,
    () => bft?.chain ?? unavailable(`the genesis file names another engine than ${codec.engine}`),
  );
  node.health.check("agreement", (runtime) => bft?.consensus.health(runtime) ?? { status: "up" });
  hooks.chain.commit.tap((event, { chain: { blocks } }) => bft?.consensus.commit(event, blocks));
  node.onStart((runtime) => {
    if (bft !== undefined) parts.signing.file.open(runtime);
  });
  hooks.chain.badBlock.tap((event) => bft?.consensus.badBlock(event));
  hooks.chain.imported.tap(({ block, origin }, { pool, nodeKey }) => {
    if (bft?.consensus.now === undefined || origin !== "own") return;
    log.info(formatDecided(block, { self: nodeKey?.address, pending: pool.all().length }));
  });
  return () => bft;
}
