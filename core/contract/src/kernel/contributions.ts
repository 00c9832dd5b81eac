import { ConfigError, PluginError } from "./errors.js";

declare const HOLDS: unique symbol;

/** A named list that plugins add items to. */
export interface ContributionPoint<T> {
  readonly id: string;
  readonly summary: string;
  /** The property that must be unique among the items, and its name in messages. */
  readonly key?: { readonly label: string; of(item: T): string };
  readonly [HOLDS]?: T;
}

/** An item and the plugin that contributed it. */
export interface Contribution<T> {
  readonly plugin: string;
  readonly item: T;
}

/** Declares a contribution point; `id` is its owner's name, a dot and a word. */
export function defineContributionPoint<T>(
  id: string,
  settings: Omit<ContributionPoint<T>, "id">,
): ContributionPoint<T> {
  return Object.freeze({ id, ...settings });
}

/** All contributions. Items of removed plugins disappear from it. */
export class Contributions {
  readonly #lists = new Map<string, Contribution<unknown>[]>();
  readonly #points = new Map<string, ContributionPoint<unknown>>();
  readonly #isEnabled: (plugin: string) => boolean;
  #sealed = false;

  constructor(isEnabled: (plugin: string) => boolean) {
    this.#isEnabled = isEnabled;
  }

  /** Adds an item; throws after sealing and if its key is taken. */
  add<T>(point: ContributionPoint<T>, plugin: string, item: T): void {
    if (this.#sealed) throw sealedError(plugin, `contribute to ${point.id}`);
    this.#verifyKey(point, plugin, item);
    this.#points.set(point.id, point);
    const list = this.#lists.get(point.id);
    if (list === undefined) this.#lists.set(point.id, [{ plugin, item }]);
    else list.push({ plugin, item });
  }

  /** The items of a point with their plugins, in plugin order. */
  entries<T>(point: ContributionPoint<T>): readonly Contribution<T>[] {
    const list = (this.#lists.get(point.id) ?? []) as Contribution<T>[];
    return list.filter(({ plugin }) => this.#isEnabled(plugin));
  }

  /** The items of a point, in plugin order. */
  list<T>(point: ContributionPoint<T>): readonly T[] {
    return this.entries(point).map(({ item }) => item);
  }

  /** The points that a plugin contributed to, each with the keys of its items. */
  keysOf(plugin: string): Readonly<Record<string, readonly string[]>> {
    const points = [...this.#points.values()].map((point) => {
      const own = (this.#lists.get(point.id) ?? []).filter((each) => each.plugin === plugin);
      return [point.id, own.map(({ item }) => point.key?.of(item) ?? "")] as const;
    });
    return Object.fromEntries(points.filter(([, keys]) => keys.length > 0));
  }

  /** Rejects later contributions. */
  seal(): void {
    this.#sealed = true;
  }

  #verifyKey<T>({ id, key }: ContributionPoint<T>, plugin: string, item: T): void {
    if (key === undefined) return;
    const list = (this.#lists.get(id) ?? []) as Contribution<T>[];
    const name = key.of(item);
    const other = list.find((contribution) => key.of(contribution.item) === name);
    if (other === undefined) return;
    throw new ConfigError("CONTRIBUTION_CONFLICT", {
      message:
        other.plugin === plugin
          ? `${plugin} contributes the ${key.label} "${name}" twice`
          : `${other.plugin} and ${plugin} both contribute the ${key.label} "${name}"; keep one of them`,
      point: id,
    });
  }
}

/** The error for a registration after the registries were sealed. */
export function sealedError(plugin: string, attempt: string): PluginError {
  return new PluginError("REGISTRY_SEALED", {
    message: `${plugin} tried to ${attempt} after registration had ended; do it in setup`,
    plugin,
  });
}
