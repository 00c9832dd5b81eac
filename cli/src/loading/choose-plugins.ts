import { toOptionName } from "@plinth/core";
import { engines, genesisChecks } from "@plinth/core/consensus";
import { namedNetworks } from "@plinth/core/genesis";
import { type Configuration, type OptionSchema, toOptionKey } from "@plinth/core/kernel";
import { Endpoint } from "@plinth/core/rpc";
import {
  CORE_DRIVERS,
  DRIVER_POINTS,
  type ManifestUses,
  type PluginManifest,
} from "@plinth/node/manifest";
import type { GenesisNames } from "./genesis-names.js";
import { type KnownPlugin, nameOf } from "./known-plugin.js";

/** The purpose of loading plugins. */
export type Purpose =
  | { readonly kind: "node"; readonly genesis: GenesisNames | undefined }
  | {
      readonly kind: "command";
      /** The plugin of the command; `undefined` for one of the program. */
      readonly plugin: string | undefined;
      readonly uses: ManifestUses | undefined;
      /** Whether it reads the values of all options with full validation. */
      readonly hasAllRules: boolean;
      readonly genesis: GenesisNames | undefined;
    };

/** The plugins to load, each with the reason. */
export type Choice = ReadonlyMap<string, string>;

/** The effective options, with their possible values. */
export interface Configured {
  readonly config: Configuration;
  readonly schema: OptionSchema;
}

type Reasons = Map<string, string>;
type Described = KnownPlugin & { readonly manifest: PluginManifest };

/** Finds the plugins that a node or a command needs; the others need not be imported. */
export function choosePlugins(
  known: readonly KnownPlugin[],
  configured: Configured,
  purpose: Purpose,
): Choice {
  const reasons: Reasons = new Map();
  for (const each of known) {
    if (each.manifest === undefined) reasons.set(nameOf(each), each.missing);
  }
  const described = known.filter((each): each is Described => each.manifest !== undefined);
  const choose = new Chooser(described, configured, reasons);
  choose.addRuled(purpose);
  if (purpose.kind === "node") {
    choose.addNode(purpose.genesis);
    choose.addOffered(listenersOf(known, configured.config), findUnknownOffer(known));
  } else choose.addCommand(purpose);
  // A command that opens nothing creates no services.
  if (purpose.kind === "node" || purpose.uses?.chain === true) choose.addProviders(known);
  return reasons;
}

/**
 * An option whose value cannot be parsed without its plugin: one that is set, or any with
 * validation.
 */
export function findRuled(
  { manifest }: KnownPlugin,
  config: Configuration,
  purpose: Purpose,
): string | undefined {
  const isAny = purpose.kind === "command" && purpose.hasAllRules;
  return Object.entries(manifest?.options ?? {}).find(
    ([key, { hasRules }]) => hasRules === true && (isAny || config.isSet(key)),
  )?.[0];
}

/** Adds plugins by one rule after the other; the first reason is kept. */
class Chooser {
  readonly #described: readonly Described[];
  readonly #config: Configuration;
  readonly #schema: OptionSchema;
  readonly #reasons: Reasons;

  constructor(described: readonly Described[], { config, schema }: Configured, reasons: Reasons) {
    this.#described = described;
    this.#config = config;
    this.#schema = schema;
    this.#reasons = reasons;
  }

  addRuled(purpose: Purpose): void {
    this.#addBy((each) => {
      const key = findRuled(each, this.#config, purpose);
      return key && `validates --${toOptionName(key)}`;
    });
  }

  addNode(genesis: GenesisNames | undefined): void {
    this.#addBy(({ manifest }) => manifest.eager);
    this.#addConfigured();
    for (const { id } of DRIVER_POINTS) this.#addDriver(id);
    this.#addNetwork();
    this.#addEngines(genesis);
  }

  /** Those with methods that listeners serve; `unknown` is why they may serve any. */
  addOffered(listeners: readonly Endpoint[], unknown: string | undefined): void {
    this.#addBy(({ manifest }) => findOffer(manifest, listeners));
    if (unknown !== undefined) {
      this.#addBy(({ manifest }) => (manifest.namespaces.length > 0 ? unknown : undefined));
    }
  }

  addCommand({ plugin, uses, genesis }: Extract<Purpose, { kind: "command" }>): void {
    this.#addBy(({ manifest }) =>
      manifest.name === plugin ? "the command is its own" : undefined,
    );
    this.#addBy(({ manifest: { hooks } }) => {
      const hook = hooks.find((name) => name.startsWith("cli."));
      return hook && `taps ${hook}`;
    });
    if (uses === undefined) {
      this.#addBy(() => "the command does not declare what it uses");
      return;
    }
    if (uses.chain) this.addNode(genesis);
    if (uses.genesis || uses.points.includes(engines.id)) {
      this.#addBy(({ manifest }) =>
        manifest.engines.length > 0 ? "provides an engine" : undefined,
      );
    }
    if (uses.genesis) this.#addContributors(genesisChecks.id);
    for (const point of uses.points) {
      if (DRIVER_POINTS.some(({ id }) => id === point)) this.#addDriver(point);
      else this.#addContributors(point);
    }
  }

  /** Providers of services used by loaded plugins; of optional ones, no engines. */
  addProviders(known: readonly KnownPlugin[]): void {
    const providers = new Map(
      this.#described.flatMap(({ manifest }) =>
        manifest.provides.map((service) => [service, manifest] as const),
      ),
    );
    const queue = known.filter((each) => this.#reasons.has(nameOf(each)));
    for (const each of queue) {
      for (const { id, isOptional } of dependenciesOf(each)) {
        const provider = providers.get(id);
        if (provider === undefined || this.#reasons.has(provider.name)) continue;
        if (isOptional && provider.engines.length > 0) continue;
        this.#reasons.set(provider.name, `${nameOf(each)} uses ${id}`);
        queue.push(...this.#described.filter(({ manifest }) => manifest === provider));
      }
    }
  }

  /**
   * Plugins of which an option has a non-default value; an option shared by several plugins proves
   * nothing.
   */
  #addConfigured(): void {
    const owners = new Map<string, number>();
    for (const { manifest } of this.#described) {
      for (const key of Object.keys(manifest.options)) owners.set(key, (owners.get(key) ?? 0) + 1);
    }
    this.#addBy(({ manifest }) => {
      const key = Object.entries(manifest.options).find(
        ([option, { needs }]) => owners.get(option) === 1 && this.#isChosen(option, needs),
      )?.[0];
      return key && `--${toOptionName(key)} is set`;
    });
  }

  /** Whether a value differs from the default, and is not ignored because a flag is off. */
  #isChosen(key: string, needs: string | undefined): boolean {
    if (!this.#config.isSet(key)) return false;
    if (needs !== undefined && this.#config.get(needs) !== true) return false;
    const { kind, default: usual } = this.#schema.find(toOptionName(key))?.option ?? {};
    const format = kind?.format as ((value: unknown) => string) | undefined;
    return usual === undefined || format?.(this.#config.get(key)) !== format?.(usual);
  }

  /** The driver selected by an option; all of them if none has that name, for the message. */
  #addDriver(point: string): void {
    const option = DRIVER_POINTS.find(({ id }) => id === point)?.option ?? "";
    const name = String(this.#config.get(toOptionKey(option))).toLowerCase();
    if (CORE_DRIVERS[point]?.includes(name)) return;
    const offers = ({ manifest }: Described) => manifest.drivers[point] ?? [];
    const isNamed = (each: Described) =>
      offers(each).some((driver) => driver.toLowerCase() === name);
    const isKnown = this.#described.some(isNamed);
    this.#addBy((each) => {
      const isWanted = isKnown ? isNamed(each) : offers(each).length > 0;
      return isWanted ? `--${option} is ${name}` : undefined;
    });
  }

  #addNetwork(): void {
    const name = this.#config.get("network");
    if (typeof name === "string") this.#addContributors(namedNetworks.id);
  }

  /**
   * The engines named by a genesis file; all of them if it names none, or there is no file to read.
   */
  #addEngines(genesis: GenesisNames | undefined): void {
    const all = this.#described.flatMap(({ manifest }) => manifest.engines);
    const named = all.filter(
      ({ key, followsMerge }) => !followsMerge && genesis?.keys.has(key.toLowerCase()) === true,
    );
    const merges =
      genesis?.keys.has("terminaltotaldifficulty") === true ||
      named.some(({ mergesByTime }) => mergesByTime);
    this.#addBy(({ manifest: { engines } }) => {
      if (named.length === 0) {
        const reason =
          genesis === undefined ? "no genesis file is read" : "the genesis file names no engine";
        return engines.length > 0 ? reason : undefined;
      }
      const own = engines.find(
        (engine) =>
          named.includes(engine) ||
          (merges && engine.followsMerge) ||
          genesis?.transitions.has(engine.key.toLowerCase()) === true,
      );
      return own && `the engine ${own.key}`;
    });
  }

  #addContributors(point: string): void {
    this.#addBy(({ manifest }) =>
      manifest.contributions[point] === undefined ? undefined : `contributes to ${point}`,
    );
  }

  #addBy(reasonFor: (each: Described) => string | undefined): void {
    for (const each of this.#described) {
      const { name } = each.manifest;
      const reason = this.#reasons.has(name) ? undefined : reasonFor(each);
      if (reason !== undefined) this.#reasons.set(name, reason);
    }
  }
}

/** The enabled listeners, with their namespaces. */
function listenersOf(known: readonly KnownPlugin[], config: Configuration): readonly Endpoint[] {
  const listeners = known.flatMap(
    ({ manifest, plugin }) => manifest?.listeners ?? plugin?.listeners ?? [],
  );
  return listeners
    .filter(({ enabled }) => config.get(enabled) === true)
    .map(({ namespaces: option, always = [], duplex }) => {
      const listed = config.get(option);
      return new Endpoint({
        name: option,
        transport: option,
        namespaces: [...(Array.isArray(listed) ? listed.map(String) : []), ...always],
        duplex,
        maxBatchSize: 0,
      });
    });
}

/**
 * A plugin without a manifest may open a listener with any namespace, unless it declares those it
 * opens.
 */
function findUnknownOffer(known: readonly KnownPlugin[]): string | undefined {
  const unknown = known.find(
    ({ manifest, plugin }) => manifest === undefined && plugin?.listeners === undefined,
  );
  return unknown && `${nameOf(unknown)} has no manifest and may serve its methods`;
}

/** Why listeners need a plugin: one of them serves a namespace or a method of it. */
function findOffer(
  { namespaces, activation }: PluginManifest,
  listeners: readonly Endpoint[],
): string | undefined {
  const isOffered = (exposed: Parameters<Endpoint["offers"]>[0]) =>
    listeners.some((listener) => listener.offers(exposed));
  const method = { caller: "any" } as const;
  const named = activation.namespaces?.find((namespace) =>
    isOffered({ namespace, exposure: "listed", method }),
  );
  if (named !== undefined) return `a listener offers ${named}`;
  for (const { name: namespace, exposure, methods } of namespaces) {
    if (activation.namespaces?.includes(namespace) === false) continue;
    const offered = methods.find(({ caller, alsoIn }) => {
      return isOffered({ namespace, exposure, method: { caller: caller ?? "any", alsoIn } });
    });
    if (offered !== undefined) return `a listener offers ${namespace}_${offered.name}`;
  }
  return undefined;
}

function dependenciesOf(known: KnownPlugin) {
  if (known.manifest !== undefined) return known.manifest.dependencies;
  return Object.values(known.plugin.dependencies ?? {}).map((dependency) =>
    "optional" in dependency
      ? { id: dependency.optional.id, isOptional: true }
      : { id: dependency.id, isOptional: false },
  );
}
