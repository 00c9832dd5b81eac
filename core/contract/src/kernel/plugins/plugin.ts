import { ConfigError } from "../errors.js";
import type { Options } from "../options/options.js";
import type { Dependencies, Service } from "../services.js";

/** The version of the contract between plugins and the core; it changes when plugins must change. */
export const PLUGIN_API_VERSION = 1;

/** Registered, so that plugins are recognised even when two copies of the core are installed. */
const MARK = Symbol.for("plinth.plugin");

/** A listener for JSON-RPC, by the options that it is configured with. */
export interface ListenerOptions {
  /** The flag that turns it on, in camel case. */
  readonly enabled: string;
  /** The list of namespaces that it offers. */
  readonly namespaces: string;
  /** Namespaces that it offers whether they are listed or not. */
  readonly always?: readonly string[];
  /** Whether it can push messages to its callers. */
  readonly duplex: boolean;
}

/** When a node loads a plugin. */
export interface Activation {
  /** Namespaces, its own or those of others, of which a listener must offer one; all that it registers when left out. */
  readonly namespaces?: readonly string[];
}

/** What a plugin declares, generic over what its `setup` receives. */
export interface PluginShape<O extends Options, D extends Dependencies, N> {
  /** Unique, kebab-case. Taps, log lines, metrics and errors carry it. */
  readonly name: string;
  /** Settings this plugin adds to the node. */
  readonly options?: O;
  /** Services it uses, under the plugin's own names for them. Decides the order of plugins. */
  readonly dependencies?: D;
  /** Services it provides. */
  readonly provides?: readonly Service<unknown>[];
  /** The node cannot run without it: it is never disabled, and its failure stops the node. */
  readonly essential?: boolean;
  /** The listeners that it opens. */
  readonly listeners?: readonly ListenerOptions[];
  /**
   * Says that a node does without the plugin unless one of its options is set, an engine or driver of it is
   * chosen, a listener offers its methods, or another plugin needs a service of it.
   *
   * When left out, it is loaded as well when it taps a hook or runs anything.
   */
  readonly activation?: Activation;
  /** Registers everything. Synchronous, no input or output, no use of other plugins. */
  setup(node: N): void;
}

/** A plugin as the node handles it: the types that its author used are gone. */
export interface Plugin extends PluginShape<Options, Dependencies, never> {
  readonly [MARK]: number;
  /** The file that declares it, to find out whose an error is; `undefined` when that is not known. */
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

/** Returns the value as a plugin, or throws what is wrong with it; `origin` says where it came from. */
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
