import { definePlugin, unavailable } from "@plinth/core";
import { chainJoins, stateOrigins } from "@plinth/core/chain";
import { devChain } from "@plinth/plugin-consensus-dev/api";
import { devFork } from "./api.js";
import { BlockCache, cacheFile, NO_CACHE } from "./cache/block-cache.js";
import { cacheFolder } from "./cache/cache-folder.js";
import { ChosenFork } from "./chosen-fork.js";
import { findStart } from "./data/find-start.js";
import { ForkedFolder } from "./data/forked-folder.js";
import { verifyNoNode, verifyOneSource } from "./data/verify-one-source.js";
import { ForkJoin } from "./fork-join.js";
import { fundAccounts } from "./fund-accounts.js";
import { RemoteState } from "./lazy/remote-state.js";
import { OlderBlocks } from "./older/older-blocks.js";
import { wrapMethod } from "./older/wrap-method.js";
import { openFork } from "./open-fork.js";
import { options } from "./options.js";
import { createRemote } from "./remote/create-remote.js";

export default definePlugin({
  name: "dev-fork",
  options,
  dependencies: { dev: devChain },
  provides: [devFork],
  setup({ config, contribute, hooks, log, onStart, services }) {
    const { forkBlockNumber, forkChainId, forkCloneLimit, forkMode } = config;
    const remote = createRemote(config);
    const number = forkBlockNumber === undefined ? undefined : BigInt(forkBlockNumber);
    const chainId = forkChainId === undefined ? undefined : BigInt(forkChainId);
    const fork = new ChosenFork({ remote, number, chainId, mode: forkMode });
    const folder = new ForkedFolder(config.forkData, log);
    verifyOneSource(config);
    hooks.chain.opening.tap(async (event) => {
      await folder.open(event);
      if (folder.find() === undefined) await fork.open(event);
      else verifyNoNode(event, config);
    });
    hooks.chain.genesis.tap(
      (genesis, context) => folder.change(genesis) ?? fork.change(genesis, context),
      { stage: "early" },
    );
    const cache = cacheFolder(config.forkCachePath);
    const state = new RemoteState({
      // Callers wait for it.
      remote: createRemote(config, { attempts: 3, timeoutMs: 20_000 }),
      openCache: (record) =>
        config.noStorageCaching ? NO_CACHE : new BlockCache(cacheFile(cache, record), { log }),
      log,
      getRecord: () => fork.get(),
    });
    contribute(stateOrigins, state);
    if (remote !== undefined) {
      contribute(
        chainJoins,
        new ForkJoin({
          remote,
          limitGib: forkCloneLimit,
          log,
          clock: Date,
          getRecord: () => fork.get(),
          mode: forkMode,
          begin: (how) => fork.record(how),
          verifyState: () => state.verify(),
        }),
      );
    }
    let older: OlderBlocks | undefined;
    if (remote !== undefined) {
      hooks.rpc.method.tap((method, { namespace, name }) =>
        wrapMethod(method, `${namespace}_${name}`, () => older),
      );
    }
    services.provide(devFork, (runtime) => {
      const found = findStart(folder, fork, runtime);
      return found === undefined
        ? unavailable("the chain is not a fork")
        : openFork(found, runtime);
    });
    onStart(async (runtime) => {
      await fork.forget();
      await folder.forget();
      const found = findStart(folder, fork, runtime);
      if (found === undefined) return;
      // Callers wait for it.
      const impatient = createRemote(config, { attempts: 2, timeoutMs: 20_000 });
      const cloned = fork.find();
      if (impatient !== undefined && cloned !== undefined) {
        older = new OlderBlocks(impatient, cloned);
      }
      const { chain, clock, dev } = runtime;
      await fundAccounts(runtime, {
        dev,
        start: found.number,
        isLazy: cloned?.isLazy === true,
      });
      // Time continues from the last block, however long ago that was.
      const now = BigInt(Math.floor(clock.now() / 1000));
      dev.time = { ...dev.time, offsetSeconds: chain.blocks.head().timestamp - now };
    });
  },
});
