import { definePlugin, type EvmResult, optional, type SealedBlock } from "@plinth/core";
import { knownAccounts } from "@plinth/plugin-rpc-dev/api";
import { formatAccounts } from "./accounts.js";
import { formatBlock } from "./block-line.js";
import { formatOutcomes } from "./outcomes.js";
import { Summary } from "./summary.js";

export default definePlugin({
  name: "dev-console",
  dependencies: { accounts: optional(knownAccounts) },
  setup({ hooks, log, onStart, onStop }) {
    let summary: Summary | undefined;
    onStart(({ accounts = [], chain, clock }) => {
      summary = new Summary(clock);
      if (accounts.length === 0) return;
      const state = chain.blocks.stateAt(chain.blocks.head());
      log.warn("The keys of these accounts are public: never send anything of value to them.");
      for (const line of formatAccounts(accounts, state)) log.info(line);
    });
    const logBlock = (block: SealedBlock, results: readonly EvmResult[]) => {
      summary?.add(block, results);
      log.info(formatBlock(block));
      for (const { text, isFailure } of formatOutcomes(block, results)) {
        if (isFailure) log.warn(text);
        else log.info(text);
      }
    };
    hooks.chain.commit.tap(({ block, results, batch }) => {
      if (block !== undefined) batch.onCommitted(() => logBlock(block, results));
    });
    onStop(() => {
      if (summary !== undefined) log.info(summary.format());
    });
  },
});
