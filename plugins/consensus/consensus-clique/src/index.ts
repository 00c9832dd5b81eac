import { defineEngine, definePlugin, unavailable, ZERO_ADDRESS } from "@plinth/core";
import { formatProduced, genesisTemplates } from "@plinth/core/consensus";
import {
  AuthorityCheckpoints,
  createSigning,
  SignedMark,
  StandingProposals,
} from "@plinth/kit-poa";
import { type Clique, clique } from "./api.js";
import { checkCliqueGenesis } from "./check-genesis.js";
import { CliqueEngine } from "./engine.js";
import { cliqueTemplate } from "./genesis-template.js";
import { openClique } from "./open-clique.js";
import { options } from "./options.js";
import { Seals } from "./seal.js";
import { CliqueSchedule, ENGINE_KEY, settings, transition } from "./settings.js";
import { SignedBlocks } from "./signed-blocks.js";
import { SignerWatch } from "./signers/signer-watch.js";
import { Signers } from "./signers/signers.js";
import { SigningStatus } from "./signers/signing-status.js";
import { beginWatch, followHead } from "./signers/watch-signers.js";

export default definePlugin({
  name: "consensus-clique",
  activation: {},
  provides: [clique],
  options,
  setup({
    config,
    consensus,
    contribute,
    hooks,
    storage,
    services,
    metrics,
    health,
    log,
    onStart,
  }) {
    const proposals = new StandingProposals(storage.table("proposals"));
    const signedTable = storage.table("signed");
    const signing = createSigning("clique", config.cliqueSignFrom);
    const checkpoints = new AuthorityCheckpoints(storage.table("signers", { isDerived: true }));
    const watch = new SignerWatch();
    const status = new SigningStatus(log);
    let created: { readonly schedule: CliqueSchedule; readonly signers: Signers } | undefined;
    let opened: Clique | undefined;
    contribute(genesisTemplates, cliqueTemplate);
    consensus.engine(
      defineEngine({
        key: ENGINE_KEY,
        settings,
        transition,
        precedence: 4,
        check: checkCliqueGenesis,
        create(context) {
          const schedule = new CliqueSchedule(context.settings, context.transitions);
          const signers = new Signers(schedule, new Seals(), checkpoints);
          created = { schedule, signers };
          const address = context.key?.address ?? ZERO_ADDRESS;
          const signed = new SignedBlocks(
            signedTable,
            new SignedMark({ ...signing, address, log }),
          );
          return new CliqueEngine(context, {
            schedule,
            signers,
            proposals,
            signed,
            status,
            random: Math.random,
          });
        },
      }),
    );
    services.provide(clique, ({ chain }) => {
      if (created === undefined)
        return unavailable("the genesis file selects another engine than clique");
      opened = openClique({ ...created, proposals }, chain.blocks);
      return opened;
    });
    hooks.chain.commit.tap((event, { chain }) =>
      created?.signers.history.commit(event, chain.blocks),
    );
    hooks.consensus.sealed.tap(({ block, timing }) => {
      if (created !== undefined) log.info(formatProduced(block, timing));
    });
    hooks.chain.headChanged.tap((change) => {
      if (opened !== undefined) followHead(watch, opened, change);
    });
    metrics.gauge({
      name: "signer_last_block",
      help: "The last canonical block of each signer; 0 if it produced none recently.",
      labels: ["signer"],
      collect: () => watch.lastBlocks(),
    });
    metrics.counter({
      name: "in_turn_misses",
      help: "Turns of each signer in which another produced the block, since the start.",
      labels: ["signer"],
      collect: () => watch.misses(),
    });
    health.check("signers", () => watch.health());
    health.check("signing", ({ sync }) => status.health(sync.isSyncing));
    onStart((runtime) => {
      if (created !== undefined) signing.file.open(runtime);
      if (opened !== undefined) beginWatch(watch, opened, runtime);
    });
  },
});
