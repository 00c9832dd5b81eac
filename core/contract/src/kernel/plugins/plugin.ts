import { ConfigError } from "../errors.js";
import type { Options } from "../options/options.js";
import type { Dependencies, Service } from "../services.js";

/** The version of the plugin contract; it changes when plugins must change. */
export const PLUGIN_API_VERSION = 1;

/** Registered, so that plugins are recognized even if two copies of the core are installed. */
const MARK = Symbol.for("plinth.plugin");

/** A JSON-RPC listener, by the options that configure it. */
export interface ListenerOptions {
  /** The flag that enables it, in camel case. */
  readonly enabled: string;
  /** The option with the list of namespaces it serves. */
  readonly namespaces: string;
  /** Namespaces it serves whether they are listed or not. */
  readonly always?: readonly string[];
  /** Whether it can push messages to its callers. */
  readonly duplex: boolean;
}

/** When a node loads a plugin. */
export interface Activation {
  /**
   * Namespaces, its own or others', of which a listener must serve one; by default all that it
   * registers.
   */
  readonly namespaces?: readonly string[];
}

/** The declaration of a plugin, generic over the argument of its `setup`. */
export interface PluginShape<O extends Options, D extends Dependencies, N> {
  /** Unique, kebab-case. Appears in taps, log lines, metrics and errors. */
  readonly name: string;
  /** Options this plugin adds to the node. */
  readonly options?: O;
  /** Services it uses, under the plugin's own names for them. Determines the order of plugins. */
  readonly dependencies?: D;
  /** Services it provides. */
  readonly provides?: readonly Service<unknown>[];
  /** The node cannot run without it: it is never disabled, and its failure stops the node. */
  readonly essential?: boolean;
  /** The listeners it opens. */
  readonly listeners?: readonly ListenerOptions[];
  /**
   * Declares that the plugin is not loaded unless one of its options is set, an engine or driver of
   * it is selected, a listener serves its methods, or another plugin needs a service of it.
   *
   * By default, it is also loaded if it taps a hook or runs anything.
   */
  readonly activation?: Activation;
  /** Registers everything. Synchronous, no I/O, no use of other plugins. */
  setup(node: N): void;
}

/** A plugin as the node handles it, with the types of its author erased. */
export interface Plugin extends PluginShape<Options, Dependencies, never> {
  readonly [MARK]: number;
  /** The file that declares it, to attribute errors; `undefined` if unknown. */
  readonly file: string | undefined;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Marks a declaration as a plugin of this version of the contract. */
export function markPlugin(
  shape: PluginShape<Options, Dependencies, never>,
  file?: string,
): Plugin {
  if (!NAME.test(shape.name)) {
    throw new ConfigError("PLUGIN_NAME_INVALID", {
      message: `plugin name "${shape.name}": expected kebab-case such as "rpc-audit"`,
    });
  }
  return Object.freeze({ ...shape, [MARK]: PLUGIN_API_VERSION, file });
}

/** Returns the value as a plugin, or throws why it is not one; `origin` is where it came from. */
export function verifyPlugin(value: unknown, origin: string): Plugin {
  const version =
    typeof value === "object" && value !== null ? Reflect.get(value, MARK) : undefined;
  if (typeof version !== "number") {
    throw new ConfigError("PLUGIN_INVALID", {
      message: `${origin} is not a plugin: its default export must be made with definePlugin from @plinth/core`,
    });
  }
  if (version !== PLUGIN_API_VERSION) {
    throw new ConfigError("PLUGIN_API_MISMATCH", {
      message: `${origin} was made for version ${version} of the plugin contract; this node has version ${PLUGIN_API_VERSION}`,
    });
  }
  return value as Plugin;
}
