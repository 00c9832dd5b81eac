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
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { ibftChain } from "./api.js";
import { checkIbftGenesis } from "./check-genesis.js";
import { createIbft, type Ibft } from "./create-ibft.js";
import { ibftExtraData } from "./extra-data.js";
import { ibftTemplate } from "./genesis-template.js";
import { codes, MESSAGE_SPACE } from "./messages/codes.js";
import { options } from "./options.js";
import { type IbftSettings, type IbftTransition, settings, transition } from "./settings.js";

export default definePlugin({
  name: "consensus-ibft",
  activation: {},
  provides: [ibftChain],
  dependencies: { eth: optional(ethPeers) },
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
    let ibft: Ibft | undefined;
    const parts = {
      proposals: new StandingProposals(storage.table("proposals")),
      journal: storage.table("journal"),
      signing: createSigning("ibft", config.ibftSignFrom),
      evidence: storage.table("evidence"),
      checkpoints: new AuthorityCheckpoints(storage.table("checkpoints", { isDerived: true })),
      metrics: createMetrics(metrics),
      log,
    };
    contribute(extraDataCodecs, ibftExtraData);
    contribute(genesisTemplates, ibftTemplate);
    consensus.engine(
      defineEngine({
        key: "ibft2",
        settings,
        transition,
        precedence: 2,
        check: checkIbftGenesis,
        create(context: EngineContext<IbftSettings, IbftTransition>) {
          ibft = createIbft(context, parts);
          return ibft.consensus.engine;
        },
      }),
    );
    network.protocol({
      name: "IBF",
      version: 1,
      length: MESSAGE_SPACE,
      isOffered: () => ibft !== undefined,
      connected(peer, { eth }) {
        if (ibft === undefined) throw new Error("the protocol is only offered on IBFT 2.0 chains");
        return ibft.consensus.connect(peer, Object.values(codes), (number) =>
          eth?.noteBlock(peer.id, number),
        );
      },
    });
    network.protocol({
      name: "ibftblk",
      version: 1,
      length: EXCHANGE_LENGTH,
      isOffered: () => ibft !== undefined,
      connected(peer) {
        if (ibft === undefined) throw new Error("the protocol is only offered on IBFT 2.0 chains");
        return ibft.consensus.exchange(peer);
      },
    });
    services.provide(
      ibftChain,
      () => ibft?.chain ?? unavailable("the genesis file names another engine than ibft2"),
    );
    health.check("agreement", (runtime) => ibft?.consensus.health(runtime) ?? { status: "up" });
    hooks.chain.commit.tap((event, { chain: { blocks } }) => ibft?.consensus.commit(event, blocks));
    onStart((runtime) => {
      if (ibft !== undefined) parts.signing.file.open(runtime);
    });
    hooks.chain.badBlock.tap((event) => ibft?.consensus.badBlock(event));
    hooks.chain.imported.tap(({ block, origin }, { pool, nodeKey }) => {
      if (ibft?.consensus.now === undefined || origin !== "own") return;
      log.info(formatDecided(block, { self: nodeKey?.address, pending: pool.all().length }));
    });
  },
});
