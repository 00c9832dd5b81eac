import { PluginStates } from "@plinth/chain";
import type { Compatibility, KeyValueStore, Logger, Plugin, SealedHeader } from "@plinth/core";
import { InvariantError, loadCrypto, systemClock, ZERO_ADDRESS } from "@plinth/core";
import { StateMissing } from "@plinth/core/chain";
import {
  Configuration,
  chooseDriver,
  silentLogs,
  TapWatch,
  verifyPlugin,
} from "@plinth/core/kernel";
import type { ReaderSettings } from "@plinth/core/query";
import { COMPATIBILITIES } from "@plinth/core/rpc";
import { readOnly, storageDrivers } from "@plinth/core/storage";
import { coreOptions } from "../plugin/options.js";
import { resolvePlugins } from "../plugin/prepare.js";
import { Registries } from "../plugin/registries.js";
import { openReaderContext, type ReaderContext } from "./reader-context.js";
import { ReaderView, type ViewSettings } from "./reader-view.js";

/** The destination of a reader's log lines. */
export interface ReaderEvents {
  readonly log: (level: "error" | "warn", message: string) => void;
}

const FREE_CALL = {
  raisesFunds: false,
  dropsFees: true,
  feesMakeStrict: false,
  strictPaysBaseFee: false,
} as const;
/** Maximum gas of the warm-up call. */
const WARM_UP_GAS = 100_000n;

/** A read-only chain that another thread writes, with the methods that can run here. */
export class OpenReader {
  readonly #registries: Registries;
  readonly #context: ReaderContext;
  readonly #compatibility: Compatibility;
  readonly #log: Logger;
  readonly #idle: ReaderView[] = [];
  #head: SealedHeader | undefined;

  private constructor(parts: {
    readonly registries: Registries;
    readonly context: ReaderContext;
    readonly compatibility: Compatibility;
    readonly log: Logger;
  }) {
    this.#registries = parts.registries;
    this.#context = parts.context;
    this.#compatibility = parts.compatibility;
    this.#log = parts.log;
  }

  /** Loads plugins and opens the chain; nothing is started. */
  static async open(settings: ReaderSettings, events: ReaderEvents): Promise<OpenReader> {
    await loadCrypto();
    if (settings.preload !== undefined) await import(settings.preload);
    const plugins = await Promise.all(settings.modules.map(load));
    const resolved = resolvePlugins(plugins);
    const prepared = { ...resolved, config: Configuration.restore(settings.options) };
    const log = createLog(events.log);
    const registries = new Registries({
      prepared,
      logs: silentLogs,
      tapWatch: new TapWatch(systemClock, () => {}),
      tapFailed: ({ plugin, hook, error }) => log.error(`${plugin} failed in ${hook}: ${error}`),
      taskFailed: () => {},
    });
    const store = readOnly(await openStorage(registries, settings));
    registries.storageOpened(store);
    const context = openReaderContext({ registries, prepared, store, settings });
    const compatibility = COMPATIBILITIES[prepared.config.valuesOf(coreOptions).rpcCompatibility];
    const reader = new OpenReader({ registries, context, compatibility, log });
    await reader.#createServices();
    await reader.#warmUp();
    return reader;
  }

  /** The head of the chain: the given one, or the last given one. */
  follow(head: SealedHeader | undefined): SealedHeader {
    this.#head = head ?? this.#head ?? this.#context.findHead();
    return this.#head;
  }

  /** The chain as a job sees it until it releases the view. */
  takeView(settings: ViewSettings): ReaderView {
    const view = this.#idle.pop() ?? this.#createView();
    view.begin(settings);
    return view;
  }

  /** Releases a view. */
  giveBack(view: ReaderView): void {
    view.end();
    this.#idle.push(view);
  }

  #createView(): ReaderView {
    return new ReaderView({
      context: this.#context,
      registries: this.#registries,
      compatibility: this.#compatibility,
    });
  }

  /** Creates an EVM for the fork of the head, so that the first caller does not wait for it. */
  async #warmUp(): Promise<void> {
    const view = this.#createView();
    const header = this.#context.findHead();
    const call = { to: ZERO_ADDRESS, data: new Uint8Array(), value: 0n };
    const settings = { header, gasLimit: WARM_UP_GAS, rules: FREE_CALL };
    try {
      await view.runQuery("call", [call, settings]);
    } catch (error) {
      // It ran, on a state whose values are not here yet.
      if (!(error instanceof StateMissing)) throw error;
    }
    this.giveBack(view);
  }

  /** The context of handlers besides the chain: services of other plugins. */
  async #createServices(): Promise<void> {
    const { services } = this.#registries;
    const state = new PluginStates();
    for (const instance of this.#registries.instances()) {
      const { name, plugin, signal } = instance;
      const dependencies = plugin.dependencies ?? {};
      const runtime = {
        chain: this.#context.chain,
        compatibility: this.#compatibility,
        clock: systemClock,
        state,
        log: this.#log,
        signal,
        ...services.resolve(dependencies),
      };
      instance.runtime = runtime as unknown as typeof instance.runtime;
      const isServing = this.#registries.namespaces.all().some((entry) => entry.plugin === name);
      if (isServing) await services.create(name, runtime as never, undefined);
    }
  }
}

async function load({ name, url }: ReaderSettings["modules"][number]): Promise<Plugin> {
  const module: { readonly default?: unknown } = await import(url);
  return verifyPlugin(module.default, `"${name}"`);
}

async function openStorage(
  registries: Registries,
  { storage, folder }: ReaderSettings,
): Promise<KeyValueStore> {
  const { driver } = chooseDriver(registries.contributions, storageDrivers, storage);
  if (driver.openReader === undefined) {
    throw new InvariantError(`the storage driver ${driver.name} serves one thread only`);
  }
  return driver.openReader({ folder });
}

function createLog(write: ReaderEvents["log"]): Logger {
  const quiet = () => {};
  return {
    error: (message) => write("error", message),
    warn: (message) => write("warn", message),
    info: quiet,
    debug: quiet,
    trace: quiet,
    isEnabled: (level) => level === "error" || level === "warn",
  };
}
