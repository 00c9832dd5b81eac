import type { Plugin } from "@plinth/core";
import { type Clock, systemClock, toOptionName } from "@plinth/core";
import type { Layer } from "@plinth/core/kernel";
import { type Logs, silentLogs, verifyPlugin } from "@plinth/core/kernel";
import { configureNode, resolvePlugins } from "../plugin/prepare.js";
import { Node } from "./node.js";

/** The inputs of a node. */
export interface NodeSettings {
  readonly plugins: readonly Plugin[];
  /** By the names used in code: `{ rpcHttpPort: 8545 }`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The JSON of a genesis file, instead of the option `genesisFile`. */
  readonly genesis?: unknown;
  /** None by default. */
  readonly logs?: Logs;
  readonly clock?: Clock;
}

/** Creates a node inside another program; `start` opens and starts it. */
export async function createNode({
  plugins,
  options = {},
  genesis,
  logs = silentLogs,
  clock = systemClock,
}: NodeSettings): Promise<Node> {
  const verified = plugins.map((plugin, index) =>
    verifyPlugin(plugin, `Plugin ${index + 1} of createNode`),
  );
  const prepared = configureNode(resolvePlugins(verified), [programLayer(options)]);
  return Node.register(prepared, { logs, clock, genesis });
}

function programLayer(options: Readonly<Record<string, unknown>>): Layer {
  const label = "createNode";
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    source: "program",
    label: "the options of createNode",
    entries: new Map(entries.map(([key, value]) => [toOptionName(key), { label, value }])),
  };
}
