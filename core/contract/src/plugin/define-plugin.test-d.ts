// Compiled, never run: the guarantees of the architecture about plugins.
import { t } from "../codec/ethereum.js";
import { option } from "../kernel/options/options.js";
import { defineService, optional } from "../kernel/services.js";
import { method } from "../rpc/method.js";
import { definePlugin } from "./define-plugin.js";
import type { PluginNode } from "./plugin-node.js";
import type { Call, Runtime, RuntimeWith } from "./runtime.js";

interface Signers {
  at(number: bigint): readonly `0x${string}`[];
}

const Signers = defineService<Signers>("clique.signers");
const Index = defineService<{ find(text: string): number }>("log-index.logs");
const dependencies = { signers: Signers, index: optional(Index) };

const getSigners = method({
  summary: "Lists the signers.",
  params: { block: t.quantity },
  result: t.array(t.address),
  handle: ({ block }, { signers }: RuntimeWith<typeof dependencies>) => signers.at(block),
});
const countFor = method({
  summary: "Counts the signers for the caller.",
  result: t.integer(),
  handle: (_, { signers }: Call<typeof dependencies>) => signers.at(0n).length,
});
const chainId = method({
  summary: "Names the chain.",
  result: t.optional(t.quantity),
  handle: (_, { chain }: Runtime) => chain.chainId,
});
const whoAmI = method({
  summary: "Names the caller.",
  result: t.optional(t.text),
  handle: (_, { client }: Call) => client.identity?.name,
});

// 1. A handler can use a service only if its plugin declares it.
definePlugin({
  name: "declares",
  dependencies,
  setup: (node) => node.rpc.namespace("clique", { getSigners, countFor, chainId, whoAmI }),
});
definePlugin({
  name: "declares-nothing",
  setup(node) {
    node.rpc.namespace("chain", { chainId, whoAmI });
    // @ts-expect-error the method requires signers
    node.rpc.namespace("clique", { getSigners });
    // @ts-expect-error so does this one, although it is written for calls
    node.rpc.namespace("clique", { countFor });
  },
});
definePlugin({
  name: "declares-another",
  dependencies: { index: optional(Index) },
  setup(node) {
    // @ts-expect-error the method requires signers
    node.rpc.namespace("clique", { getSigners });
  },
});
definePlugin({
  name: "declares-as-optional",
  dependencies: { signers: optional(Signers), index: optional(Index) },
  setup(node) {
    // @ts-expect-error the method cannot do without signers
    node.rpc.namespace("clique", { getSigners });
  },
});
definePlugin({
  name: "everywhere",
  dependencies,
  provides: [Index],
  setup(node) {
    node.onStart(({ signers }) => void signers.at(1n));
    node.health.check("signers", ({ signers }) => ({
      status: signers.at(1n).length > 0 ? "up" : "down",
    }));
    node.services.provide(Index, ({ signers }) => ({ find: () => signers.at(1n).length }));
    // @ts-expect-error a service is made as its token says
    node.services.provide(Index, () => ({ find: () => "0" }));
    // @ts-expect-error peers is not declared
    node.onStart(({ peers }) => void peers);
  },
});

// 2. `optional` makes the dependency optional.
definePlugin({
  name: "careful",
  dependencies,
  setup(node) {
    node.onStart(({ signers, index }) => {
      holds<Same<typeof signers, Signers>>();
      holds<Same<typeof index, { find(text: string): number } | undefined>>();
    });
  },
});

// 3. A handler returns the domain type of its result codec, not JSON.
// @ts-expect-error a quantity is a bigint
method({ summary: "Counts.", result: t.quantity, handle: () => "0x5" });

// 4. A dependency cannot take the name of a field of the runtime, nor that of the caller.
// @ts-expect-error the runtime has a chain
definePlugin({ name: "clash", dependencies: { chain: Signers }, setup: () => {} });
// @ts-expect-error and tasks
definePlugin({ name: "clash", dependencies: { tasks: optional(Signers) }, setup: () => {} });
// @ts-expect-error and calls have a client
definePlugin({ name: "clash", dependencies: { client: Signers }, setup: () => {} });

// 5. Nothing available in `setup` leads to the chain, the pool or another plugin.
type Seen = PluginNode<Record<never, never>, typeof dependencies>;
holds<
  Same<
    keyof Seen,
    | "config"
    | "log"
    | "metrics"
    | "hooks"
    | "rpc"
    | "http"
    | "cli"
    | "storage"
    | "keys"
    | "network"
    | "consensus"
    | "evm"
    | "query"
    | "health"
    | "services"
    | "contribute"
    | "onStart"
    | "onStop"
    | "onReload"
  >
>();
holds<Same<keyof Seen["rpc"], "namespace">>();
holds<Same<keyof Seen["cli"], "command">>();
holds<Same<keyof Seen["storage"], "driver" | "table">>();
holds<Same<keyof Seen["keys"], "driver">>();
holds<Same<keyof Seen["network"], "driver" | "protocol">>();
holds<Same<keyof Seen["health"], "check">>();
holds<Same<keyof Seen["services"], "provide">>();
holds<Same<keyof Seen["metrics"], "area" | "counter" | "gauge" | "histogram">>();
holds<Same<keyof Seen["hooks"]["lifecycle"]["ready"], "name" | "tap">>();

// Configuration has the types of the plugin's own options, and nothing else.
definePlugin({
  name: "configured",
  options: {
    maxBlocks: option.integer({ summary: "Most blocks.", default: 1000 }),
    folder: option.path({ summary: "A folder." }),
  },
  setup(node) {
    holds<Same<typeof node.config.maxBlocks, number>>();
    holds<Same<typeof node.config.folder, string | undefined>>();
    // @ts-expect-error options of others are not there
    node.config.dataPath;
  },
});

// A plugin without dependencies receives exactly the runtime.
definePlugin({
  name: "modest",
  setup(node) {
    node.onStart((runtime) => {
      holds<Same<keyof typeof runtime, keyof Runtime>>();
    });
  },
});

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<T extends true>(): T | undefined {
  return undefined;
}
