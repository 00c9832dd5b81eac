import {
  defineEngine,
  definePlugin,
  type EngineContext,
  optional,
  unavailable,
} from "@plinth/core";
import { extraDataCodecs, genesisTemplates } from "@plinth/core/consensus";
import { createMetrics, EXCHANGE_LENGTH, formatDecided } from "@plinth/kit-bft";
import { AuthorityCheckpoints, createSigning, StandingProposals } from "@plinth/kit-poa";
import { ibftChain } from "@plinth/plugin-consensus-ibft/api";
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { qbftChain } from "./api.js";
import { checkQbftGenesis } from "./check-genesis.js";
import { createQbft, type Qbft } from "./create-qbft.js";
import { createDialect } from "./dialect.js";
import { qbftExtraData } from "./extra-data.js";
import { qbftTemplate } from "./genesis-template.js";
import { codes, MESSAGE_SPACE } from "./messages/codes.js";
import { options } from "./options.js";
import { type QbftSettings, type QbftTransition, settings, transition } from "./settings.js";
import { takeOverVotes } from "./take-over-votes.js";

export default definePlugin({
  name: "consensus-qbft",
  activation: {},
  provides: [qbftChain],
  dependencies: { eth: optional(ethPeers), ibft: optional(ibftChain) },
  options,
  setup({
    config,
    consensus,
    contribute,
    health,
    hooks,
    log,
    metrics,
    network,
    onStart,
    services,
    storage,
  }) {
    let qbft: Qbft | undefined;
    const parts = {
      dialect: createDialect(config.XqbftBlockRound === "ZERO" ? "zero" : "message"),
      proposals: new StandingProposals(storage.table("proposals")),
      journal: storage.table("journal"),
      signing: createSigning("qbft", config.qbftSignFrom),
      evidence: storage.table("evidence"),
      checkpoints: new AuthorityCheckpoints(storage.table("checkpoints", { isDerived: true })),
      metrics: createMetrics(metrics),
      log,
    };
    contribute(extraDataCodecs, qbftExtraData);
    contribute(genesisTemplates, qbftTemplate);
    consensus.engine(
      defineEngine({
        key: "qbft",
        settings,
        transition,
        precedence: 3,
        check: checkQbftGenesis,
        startBlock: ({ startBlock }) => BigInt(startBlock ?? 0),
        create(context: EngineContext<QbftSettings, QbftTransition>) {
          qbft = createQbft(context, parts);
          return qbft.consensus.engine;
        },
      }),
    );
    network.protocol({
      name: "istanbul",
      version: 100,
      length: MESSAGE_SPACE,
      isOffered: () => qbft !== undefined,
      connected(peer, { eth }) {
        if (qbft === undefined) throw new Error("the protocol is only offered on QBFT chains");
        return qbft.consensus.connect(peer, Object.values(codes), (number) =>
          eth?.noteBlock(peer.id, number),
        );
      },
    });
    network.protocol({
      name: "qbftblk",
      version: 1,
      length: EXCHANGE_LENGTH,
      isOffered: () => qbft !== undefined,
      connected(peer) {
        if (qbft === undefined) throw new Error("the protocol is only offered on QBFT chains");
        return qbft.consensus.exchange(peer);
      },
    });
    services.provide(
      qbftChain,
      () => qbft?.chain ?? unavailable("the genesis file names another engine than qbft"),
    );
    health.check("agreement", (runtime) => qbft?.consensus.health(runtime) ?? { status: "up" });
    hooks.chain.commit.tap((event, { chain: { blocks } }) => qbft?.consensus.commit(event, blocks));
    const { proposals } = parts;
    onStart(async (runtime) => {
      if (qbft === undefined) return;
      parts.signing.file.open(runtime);
      await takeOverVotes(runtime, { ...qbft, proposals });
    });
    hooks.chain.headChanged.tap(async (_, runtime) => {
      if (qbft !== undefined && runtime.chain.blocks.head().number + 1n === qbft.startBlock) {
        await takeOverVotes(runtime, { ...qbft, proposals });
      }
    });
    hooks.chain.badBlock.tap((event) => qbft?.consensus.badBlock(event));
    hooks.chain.imported.tap(({ block, origin }, { pool, nodeKey }) => {
      if (qbft?.consensus.now === undefined || origin !== "own") return;
      log.info(formatDecided(block, { self: nodeKey?.address, pending: pool.all().length }));
    });
  },
});
