import type { SealedHeader } from "../blocks/header.js";
import { Blockchain } from "../chain/blockchain.js";
import { type Chain, openChain } from "../chain/chain.js";
import { readForks } from "../chain/forks.js";
import { parseGenesis } from "../chain/genesis.js";
import { StateStore } from "../chain/state/state-store.js";
import { evmDrivers } from "../evm/evm.js";
import { EvmPool } from "../evm/evm-pool.js";
import type { EvmPurpose } from "../evm/hooks.js";
import { serialEvm } from "../evm/serial-evm.js";
import { systemClock } from "../kernel/clock.js";
import { Configuration } from "../kernel/config.js";
import { chooseDriver } from "../kernel/drivers.js";
import { InvariantError } from "../kernel/errors.js";
import { type Logger, silentLogs } from "../kernel/log.js";
import { type Plugin, verifyPlugin } from "../kernel/plugin.js";
import { TapWatch } from "../kernel/tap-watch.js";
import { chooseEngine } from "../node/choose-engine.js";
import { readMining } from "../node/mining.js";
import { coreOptions } from "../node/options.js";
import { type PreparedNode, resolvePlugins } from "../node/prepare.js";
import { Registries } from "../node/registries.js";
import { loadCrypto } from "../primitives/crypto.js";
import { NOBODY } from "../query/call-request.js";
import { coreQueries } from "../query/queries.js";
import { COMPATIBILITIES, type Compatibility } from "../rpc/compatibility.js";
import { decodeParams } from "../rpc/decode-params.js";
import { encodeResult } from "../rpc/encode-result.js";
import { storageDrivers } from "../storage/drivers.js";
import { readOnly } from "../storage/read-only-store.js";
import type { KeyValueStore } from "../storage/store.js";
import type { ThreadSettings } from "./messages.js";

/** How a thread is interrupted, and where its log lines go. */
export interface ThreadEvents {
  /** Throws when the job under way is to stop. */
  readonly interrupt: () => void;
  readonly log: (level: "error" | "warn", message: string) => void;
}

/** What a call of nothing costs at the most. */
const WARM_UP_GAS = 100_000n;

/** The chain as a thread sees it: opened for reading, with the methods that run on threads. */
export class OpenThread {
  readonly #registries: Registries;
  readonly #chain: Chain;
  readonly #blocks: Blockchain;
  readonly #compatibility: Compatibility;
  readonly #log: Logger;

  private constructor(parts: {
    readonly registries: Registries;
    readonly chain: Chain;
    readonly blocks: Blockchain;
    readonly compatibility: Compatibility;
    readonly log: Logger;
  }) {
    this.#registries = parts.registries;
    this.#chain = parts.chain;
    this.#blocks = parts.blocks;
    this.#compatibility = parts.compatibility;
    this.#log = parts.log;
  }

  /** Loads plugins and opens the chain; nothing is started or listened to. */
  static async open(settings: ThreadSettings, events: ThreadEvents): Promise<OpenThread> {
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
    const blocks = await openBlocks({ registries, prepared, store, settings, events });
    const genesis = parseGenesis(settings.genesis, settings.origin);
    const chain = openChain(genesis, settings.genesis, blocks);
    const compatibility = COMPATIBILITIES[prepared.config.valuesOf(coreOptions).rpcCompatibility];
    const thread = new OpenThread({ registries, chain, blocks, compatibility, log });
    await thread.#createServices();
    await thread.#warmUp();
    return thread;
  }

  /** Sees the chain as the main thread does. */
  follow(head: SealedHeader, next: SealedHeader | undefined): void {
    this.#blocks.observe(head, next);
  }

  /** Runs a query of the core. */
  runQuery(name: string, params: readonly unknown[]): Promise<unknown> {
    const query = coreQueries[name as keyof typeof coreQueries];
    if (query === undefined) throw new InvariantError(`there is no query ${name}`);
    return query(this.#blocks, ...(params as [never, never]));
  }

  /** Runs a method of a namespace; answers its result as JSON. */
  async runMethod(
    name: string,
    given: readonly unknown[],
    closed: AbortSignal,
  ): Promise<string | Uint8Array | AsyncIterable<string | Uint8Array>> {
    const entry = this.#registries.namespaces.find(name);
    const instance = entry && this.#registries.find(entry.plugin);
    if (entry === undefined || instance === undefined) {
      throw new InvariantError(`the method ${name} is not on this thread`);
    }
    const call = Object.assign(Object.create(instance.runtime ?? null), {
      client: { closed },
      signal: closed,
    });
    const params = decodeParams(entry.method, given, this.#compatibility.reading);
    return encodeResult(entry.method, await entry.method.handle(params as never, call));
  }

  /** Makes an EVM for the fork of the head, so that the first caller does not wait for it. */
  async #warmUp(): Promise<void> {
    const header = this.#blocks.head();
    const rules = this.#compatibility.calls;
    const call = { to: NOBODY, data: new Uint8Array(), value: 0n };
    await coreQueries.call(this.#blocks, call, { header, gasLimit: WARM_UP_GAS, rules });
  }

  /** What handlers see: the chain, and what other plugins offer them. */
  async #createServices(): Promise<void> {
    const { services } = this.#registries;
    for (const instance of this.#registries.instances()) {
      const { name, plugin, signal } = instance;
      const dependencies = plugin.dependencies ?? {};
      const runtime = {
        chain: this.#chain,
        compatibility: this.#compatibility,
        clock: systemClock,
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

async function load({ name, url }: ThreadSettings["modules"][number]): Promise<Plugin> {
  const module: { readonly default?: unknown } = await import(url);
  return verifyPlugin(module.default, `"${name}"`);
}

async function openStorage(
  registries: Registries,
  { storage, folder }: ThreadSettings,
): Promise<KeyValueStore> {
  const { driver } = chooseDriver(registries.contributions, storageDrivers, storage);
  if (driver.openReader === undefined) {
    throw new InvariantError(`the storage driver ${driver.name} serves one thread only`);
  }
  return driver.openReader({ folder });
}

async function openBlocks(parts: {
  readonly registries: Registries;
  readonly prepared: PreparedNode;
  readonly store: KeyValueStore;
  readonly settings: ThreadSettings;
  readonly events: ThreadEvents;
}): Promise<Blockchain> {
  const { registries, prepared, store, settings, events } = parts;
  const options = prepared.config.valuesOf(coreOptions);
  const config = Object(Reflect.get(settings.genesis, "config"));
  const forks = readForks(config, settings.genesis);
  const { engine } = chooseEngine({
    config,
    origin: settings.origin,
    forks,
    clock: systemClock,
    mining: readMining(options),
    offered: registries.contributions,
  });
  const { driver } = chooseDriver(registries.contributions, evmDrivers, options.evm);
  const { precompiles } = registries.hooks.evm;
  const createEvm = (purpose: EvmPurpose) =>
    driver.create({
      chainId: settings.chainId ?? 1n,
      interrupt: events.interrupt,
      precompilesAt: (fork) => precompiles.call(new Map(), { fork, purpose }),
    });
  const evm = serialEvm(() => createEvm("call"));
  return Blockchain.read({
    store,
    states: new StateStore(store),
    evm,
    callEvm: evm,
    pluginEvm: evm,
    replayEvms: new EvmPool(() => createEvm("trace"), 1),
    engine,
    forks,
    clock: systemClock,
  });
}

function createLog(write: ThreadEvents["log"]): Logger {
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
