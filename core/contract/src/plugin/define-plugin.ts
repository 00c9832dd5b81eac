import type { Option, Options } from "../kernel/options/options.js";
import { markPlugin, type Plugin, type PluginShape } from "../kernel/plugins/plugin.js";
import { stackFiles } from "../kernel/plugins/stack-files.js";
import type { Dependencies } from "../kernel/services.js";
import type { PluginNode } from "./plugin-node.js";
import type { Call } from "./runtime.js";

/** The declaration of a plugin. */
export type PluginDefinition<O extends Options, D extends Dependencies> = PluginShape<
  O,
  D & NotOfTheRuntime<D>,
  PluginNode<O, D>
>;

/** A dependency cannot have the name of a runtime member. */
type NotOfTheRuntime<D> = { readonly [K in keyof D]: K extends keyof Call ? never : D[K] };

type NoOptions = Readonly<Record<never, Option<unknown>>>;
// biome-ignore lint/complexity/noBannedTypes: no dependencies is the empty object, nothing else
type NoDependencies = {};

/** Declares a plugin; usually the default export of a package. */
export function definePlugin<
  const O extends Options = NoOptions,
  const D extends Dependencies = NoDependencies,
>(definition: PluginDefinition<O, D>): Plugin {
  return markPlugin(definition as PluginShape<Options, Dependencies, never>, callerFile());
}

/** The frames of this file's two functions and their caller. */
const FRAMES = 3;

/** The file that calls this module. */
function callerFile(): string | undefined {
  const { stackTraceLimit } = Error;
  // A node declares dozens of plugins at startup, and long stacks are slow to capture.
  Error.stackTraceLimit = FRAMES;
  const files = stackFiles(new Error("where"));
  Error.stackTraceLimit = stackTraceLimit;
  return files.find((file) => file !== files[0]);
}
