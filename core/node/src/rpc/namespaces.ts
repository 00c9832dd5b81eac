import type { CompatibilityMode } from "@plinth/core";
import { ConfigError, InvariantError, type Method, type Methods, method } from "@plinth/core";
import { basics } from "@plinth/core/codec";
import { sealedError } from "@plinth/core/kernel";
import type { Exposure, RegisteredMethod, RpcHooks } from "@plinth/core/rpc";

/** The description of a method whose plugin is not loaded. */
export interface KnownMethod {
  /** Without the namespace. */
  readonly name: string;
  readonly summary: string;
  readonly caller?: "duplex";
  readonly absentIn?: CompatibilityMode;
  readonly alias?: string;
  readonly alsoIn?: string;
  readonly permission?: string;
}

/** Methods below one namespace, whose plugin is not loaded. */
export interface KnownNamespace {
  readonly name: string;
  readonly exposure: Exposure;
  readonly methods: readonly KnownMethod[];
}

/** A plugin that is not loaded, by the methods it would register. */
export interface UnloadedPlugin {
  readonly name: string;
  readonly namespaces: readonly KnownNamespace[];
}

const NAMESPACE = /^[a-z][a-z0-9]*$/;

/** All methods registered by plugins. */
export class Namespaces {
  readonly #methods = new Map<string, RegisteredMethod>();
  readonly #aliases = new Map<string, string>();
  readonly #unloaded = new Set<string>();
  readonly #isEnabled: (plugin: string) => boolean;
  #sealed = false;

  constructor(isEnabled: (plugin: string) => boolean) {
    this.#isEnabled = isEnabled;
  }

  /** Adds methods under a namespace, which several plugins may share. */
  register(settings: {
    readonly plugin: string;
    readonly namespace: string;
    readonly methods: Methods<never>;
    readonly exposure: Exposure;
  }): void {
    const { plugin, namespace, methods, exposure } = settings;
    if (this.#sealed) throw sealedError(plugin, `add to the namespace ${namespace}`);
    if (!NAMESPACE.test(namespace)) {
      throw new ConfigError("NAMESPACE_INVALID", {
        message: `${plugin} registers the namespace "${namespace}"; expected a lower-case word`,
        plugin,
      });
    }
    for (const [name, method] of Object.entries(methods)) {
      const fullName = `${namespace}_${name}`;
      this.#verifyFree(fullName, plugin);
      const entry = { fullName, namespace, name, plugin, exposure };
      // Handlers receive exactly the runtime of their own plugin, as checked by `namespace`.
      const registered = { ...entry, method: method as Method<unknown>, isRewritten: false };
      this.#methods.set(fullName, registered);
    }
  }

  /**
   * Adds the methods of a plugin that is not loaded: they are known, and calls to them are
   * rejected.
   */
  declare({ name: plugin, namespaces }: UnloadedPlugin): void {
    for (const { name: namespace, exposure, methods } of namespaces) {
      for (const described of methods) {
        const { name } = described;
        const fullName = `${namespace}_${name}`;
        this.#verifyFree(fullName, plugin);
        const method = unloadedMethod(described);
        const entry = { fullName, namespace, name, plugin, exposure, method };
        this.#methods.set(fullName, { ...entry, isRewritten: false });
        this.#unloaded.add(fullName);
      }
    }
  }

  /** Lets plugins rewrite every method once, then rejects further ones. */
  seal({ method: rewrite }: Pick<RpcHooks, "method">): void {
    for (const [fullName, entry] of this.#methods) {
      const { namespace, name, plugin } = entry;
      const method = this.#unloaded.has(fullName)
        ? entry.method
        : rewrite.call(entry.method, { namespace, name, plugin });
      this.#methods.set(fullName, { ...entry, method, isRewritten: method !== entry.method });
      if (method.alias !== undefined) this.#aliases.set(method.alias, fullName);
    }
    this.#sealed = true;
  }

  /** The method with that full name or alias, unless its plugin was removed. */
  find(name: string): RegisteredMethod | undefined {
    const entry = this.#methods.get(name) ?? this.#methods.get(this.#aliases.get(name) ?? "");
    return entry !== undefined && this.isEnabled(entry) ? entry : undefined;
  }

  /** Whether the plugin of a method is still there. */
  isEnabled({ plugin }: RegisteredMethod): boolean {
    return this.#isEnabled(plugin);
  }

  /** All methods of enabled plugins, sorted by name. */
  all(): readonly RegisteredMethod[] {
    return [...this.#methods.values()]
      .filter(({ plugin }) => this.#isEnabled(plugin))
      .sort((a, b) => (a.fullName < b.fullName ? -1 : 1));
  }

  /** The callable ones of `all`: their plugins are loaded. */
  loaded(): readonly RegisteredMethod[] {
    return this.all().filter(({ fullName }) => !this.#unloaded.has(fullName));
  }

  /** All namespaces, sorted. */
  names(): readonly string[] {
    return [...new Set(this.all().map(({ namespace }) => namespace))].sort();
  }

  #verifyFree(fullName: string, plugin: string): void {
    const other = this.#methods.get(fullName);
    if (other === undefined) return;
    throw new ConfigError("METHOD_CONFLICT", {
      message: `${other.plugin} and ${plugin} both register ${fullName}; remove one of them, or wrap the method with the hook rpc.method`,
      method: fullName,
    });
  }
}

function unloadedMethod({ summary, ...described }: KnownMethod): Method<unknown> {
  return method({
    summary,
    result: basics.json,
    ...described,
    handle: () => {
      throw new InvariantError("a method of a plugin that is not loaded was called");
    },
  });
}
