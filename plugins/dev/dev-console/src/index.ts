import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { definePlugin, option, optional, optionKinds } from "@plinth/core";
import { devFork } from "@plinth/plugin-dev-fork/api";
import { knownAccounts } from "@plinth/plugin-rpc-dev/api";
import { ArtifactFiles, USUAL_FOLDERS } from "./abi/artifact-files.js";
import { formatAccounts } from "./accounts.js";
import { artifacts } from "./artifacts-method.js";
import { BlockFeed } from "./block-feed.js";
import { ConsoleUsers } from "./console-users.js";
import { FailedCalls } from "./failed-calls.js";
import { Names } from "./names.js";
import { describeChain } from "./start-lines.js";
import { Summary } from "./summary.js";

export default definePlugin({
  name: "dev-console",
  options: {
    abi: option.list({
      summary:
        "ABI files or folders that name functions and errors; out and artifacts are included.",
      of: optionKinds.path(),
    }),
    trace: option.flag({
      summary: "Shows the calls of every transaction, and of failed calls.",
    }),
  },
  dependencies: { accounts: optional(knownAccounts), fork: optional(devFork) },
  setup({ config, hooks, log, onStart, onStop, rpc }) {
    const folders = USUAL_FOLDERS.map((folder) => resolve(folder));
    const files = new ArtifactFiles([...config.abi, ...folders], log);
    rpc.namespace("plinth", { artifacts: artifacts(files) });
    let shown:
      | { readonly summary: Summary; readonly feed: BlockFeed; readonly failed: FailedCalls }
      | undefined;
    onStart((runtime) => {
      const { accounts = [], chain, clock } = runtime;
      const { blocks } = chain;
      for (const path of config.abi.filter((path) => !existsSync(path))) {
        log.warn(`--abi=${path}: the file or folder does not exist yet`);
      }
      const names = new Names(files);
      const consoleUsers = new ConsoleUsers(blocks.head().number > 0n);
      const feed = { blocks, log, clock, names, consoleUsers, showsTree: config.trace };
      shown = {
        summary: new Summary(clock),
        feed: new BlockFeed(feed),
        failed: new FailedCalls({ runtime, log, names, showsTree: config.trace }),
      };
      if (accounts.length === 0) return;
      for (const line of formatAccounts(accounts, blocks.stateAt(blocks.head()))) log.info(line);
      log.warn("The keys of these accounts are public: never send anything of value to them.");
      log.info(describeChain(runtime));
    });
    hooks.chain.commit.tap(({ block, results, batch }) => {
      if (block === undefined) return;
      batch.onCommitted(() => {
        shown?.summary.add(block, results);
        shown?.feed.add(block, results);
        shown?.failed.forget();
      });
    });
    hooks.rpc.failed.tap((error, call) => shown?.failed.explain(error, call));
    onStop(async () => {
      await shown?.feed.finish();
      if (shown !== undefined) log.info(shown.summary.format());
    });
  },
});
