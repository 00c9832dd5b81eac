import { PluginError } from "./errors.js";

declare const OFFERS: unique symbol;

/** The token of a service: one plugin provides it, others depend on it. */
export interface Service<T> {
  readonly id: string;
  /** The package that provides it, for the message if none is loaded. */
  readonly hint?: string;
  readonly [OFFERS]?: T;
}

/** An optional dependency. */
export interface OptionalService<T> {
  readonly optional: Service<T>;
}

/** Services a plugin uses, by the plugin's own names for them. */
export type Dependencies = Readonly<Record<string, Service<unknown> | OptionalService<unknown>>>;

/** The services at runtime, under those names. */
export type Resolved<D extends Dependencies> = {
  readonly [K in keyof D]: D[K] extends OptionalService<infer T>
    ? T | undefined
    : D[K] extends Service<infer T>
      ? T
      : never;
};

/** Declares a service; `id` is its provider's name, a dot and a word. */
export function defineService<T>(
  id: string,
  settings: { readonly hint?: string } = {},
): Service<T> {
  return Object.freeze({ id, ...settings });
}

/** Makes a dependency optional. */
export function optional<T>(service: Service<T>): OptionalService<T> {
  return Object.freeze({ optional: service });
}

/** Whether the dependency is optional. */
export function isOptional(
  dependency: Service<unknown> | OptionalService<unknown>,
): dependency is OptionalService<unknown> {
  return "optional" in dependency;
}

/** The service of a dependency. */
export function serviceOf(dependency: Service<unknown> | OptionalService<unknown>) {
  return isOptional(dependency) ? dependency.optional : dependency;
}

/** The result of a factory whose plugin is loaded but not used by this node. */
export class Unavailable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Marks a service whose provider is loaded but not used by this node; dependents stay loaded and
 * idle.
 */
export function unavailable(reason: string): Unavailable {
  return new Unavailable(reason);
}

/** Creates a service when the node opens. */
export type ServiceFactory<R> = (runtime: R) => unknown;

/** The services of a node: declared, registered during `setup`, created once while opening. */
export class Services<R> {
  readonly #declared = new Map<string, string>();
  readonly #factories = new Map<string, { plugin: string; create: ServiceFactory<R> }>();
  readonly #values = new Map<string, unknown>();

  /** Records that a plugin declares a service. */
  declare(plugin: string, provides: readonly Service<unknown>[]): void {
    for (const { id } of provides) this.#declared.set(id, plugin);
  }

  /** Registers the factory of a declared service. */
  provide(plugin: string, service: Service<unknown>, create: ServiceFactory<R>): void {
    if (this.#declared.get(service.id) !== plugin) {
      throw new PluginError("SERVICE_UNDECLARED", {
        message: `${plugin} provides ${service.id} without declaring it; add it to \`provides\``,
        plugin,
      });
    }
    this.#factories.set(service.id, { plugin, create });
  }

  /** Throws if a plugin declared a service and registered no factory for it. */
  verifyProvided(): void {
    for (const [id, plugin] of this.#declared) {
      if (this.#factories.has(id)) continue;
      throw new PluginError("SERVICE_NOT_PROVIDED", {
        message: `${plugin} declares ${id} but its setup does not provide it`,
        plugin,
      });
    }
  }

  /** Creates the services of one plugin; `idle` is the reason why the plugin itself is idle. */
  async create(plugin: string, runtime: R, idle: string | undefined): Promise<void> {
    for (const [id, factory] of this.#factories) {
      if (factory.plugin !== plugin) continue;
      this.#values.set(
        id,
        idle === undefined ? await factory.create(runtime) : new Unavailable(idle),
      );
    }
  }

  /** Why a plugin with these dependencies is idle; `undefined` if it is not. */
  findIdleReason(dependencies: Dependencies): string | undefined {
    for (const dependency of Object.values(dependencies)) {
      if (isOptional(dependency)) continue;
      const value = this.#values.get(dependency.id);
      if (value instanceof Unavailable) return value.reason;
    }
    return undefined;
  }

  /** The created services under the plugin's names for them. */
  resolve(dependencies: Dependencies): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(dependencies).map(([name, dependency]) => {
        const value = this.#values.get(serviceOf(dependency).id);
        return [name, value instanceof Unavailable ? undefined : value];
      }),
    );
  }
}
