import { createBuildHooks } from "../chain/build-hooks.js";
import { createChainHooks } from "../chain/hooks.js";
import { createCliHooks } from "../cli/hooks.js";
import { createConsensusHooks } from "../consensus/hooks.js";
import { createEvmHooks } from "../evm/hooks.js";
import type { ContributionPoint } from "../kernel/contributions.js";
import { HookFactory } from "../kernel/hooks.js";
import { createNetworkHooks, createSyncHooks } from "../network/hooks.js";
import { createPoolHooks } from "../pool/hooks.js";
import { createRpcHooks } from "../rpc/hooks.js";

/** Everything is registered and can still be inspected before the node opens. */
export interface RegisteredEvent {
  contributions<T>(point: ContributionPoint<T>): readonly T[];
  /** The namespaces registered by plugins, lower case. */
  readonly namespaces: readonly string[];
  /** The methods registered by plugins, with their namespaces. */
  readonly methods: readonly string[];
  /** The value of an option of any plugin, by its key; `undefined` if nothing declares it. */
  optionValue(key: string): unknown;
  /** Whether the operator has set an option, whatever its value. */
  isOptionSet(key: string): boolean;
}

function createLifecycleHooks(hook: HookFactory) {
  return {
    registered: hook.earlyCheck<RegisteredEvent>("lifecycle.registered", {
      since: "0.1.0",
      summary:
        "The last `setup` has run and registries are still open: check what others contribute.",
    }),
    opened: hook.check<object>("lifecycle.opened", {
      since: "0.1.0",
      summary: "Storage, genesis and services are available; no plugin has started.",
    }),
    starting: hook.check<object>("lifecycle.starting", {
      since: "0.1.0",
      summary:
        "The node is about to start, or `validate-config` checks whether it could: read the files needed at startup.",
    }),
    ready: hook.check<object>("lifecycle.ready", {
      since: "0.1.0",
      summary: "Every plugin has started: listeners bind, peers are dialed, production begins.",
    }),
    stopping: hook.observe<{ readonly reason: string }>("lifecycle.stopping", {
      since: "0.1.0",
      summary: "The node is about to stop; listeners accept nothing new.",
    }),
    pluginDisabled: hook.notify<{ readonly plugin: string; readonly reason: string }>(
      "lifecycle.pluginDisabled",
      { since: "0.1.0", summary: "A plugin was removed from the running node." },
    ),
  };
}

/** Every hook of a node, by area, and the factory that seals them. */
export function createNodeHooks(setting: ConstructorParameters<typeof HookFactory>[0]) {
  const factory = new HookFactory(setting);
  const groups = {
    lifecycle: createLifecycleHooks(factory),
    chain: createChainHooks(factory),
    evm: createEvmHooks(factory),
    consensus: createConsensusHooks(factory),
    build: createBuildHooks(factory),
    pool: createPoolHooks(factory),
    network: createNetworkHooks(factory),
    sync: createSyncHooks(factory),
    rpc: createRpcHooks(factory),
    cli: createCliHooks(factory),
  };
  return { factory, groups };
}

/** Every hook of a node, as held by the node. */
export type NodeHookGroups = ReturnType<typeof createNodeHooks>["groups"];
