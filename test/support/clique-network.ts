import { definePlugin, type Hash, type Plugin, type SealedHeader, toHex } from "@plinth/core";
import consensusClique from "@plinth/plugin-consensus-clique";
import protocolEth from "@plinth/plugin-protocol-eth";
import rpcClique from "@plinth/plugin-rpc-clique";
import syncFull from "@plinth/plugin-sync-full";
import {
  createRandom,
  createTestNode,
  FakeClock,
  MemoryNetwork,
  type TestNode,
} from "@plinth/testing";
import { cliqueGenesis, SIGNERS, type TestSigner } from "./clique-chain.js";
import { createPowerFailingStore, type PowerFailingStore } from "./power-failing-store.js";

const START_SECONDS = 1_700_000_000;
/** Blocks are executed in real time, between two steps of the clock. */
const STEP_MS = 50;
const TURNS = 12;

interface Place {
  readonly name: string;
  readonly signer: TestSigner;
  readonly store: PowerFailingStore;
  node: TestNode | undefined;
}

/** The inputs of a network. */
export interface CliqueNetworkSettings {
  readonly signers: number;
  /** Nodes that sign nothing at first. */
  readonly others?: number;
  readonly clique?: object;
  readonly config?: object;
  readonly alloc?: object;
  readonly seed?: number;
  /**
   * Blocks have transactions: executing them takes real time, for which each step of the clock
   * waits.
   */
  readonly hasTransactions?: boolean;
}

/**
 * Signers of one process on a network in memory, under a manual clock; a node can lose its power.
 */
export class CliqueNetwork implements AsyncDisposable {
  readonly clock = new FakeClock(START_SECONDS * 1000);
  readonly network: MemoryNetwork;
  readonly random: () => number;
  readonly #genesis: object;
  readonly #pauseMs: number;
  readonly #places: readonly Place[];
  /** Every block imported anywhere, by its hash. */
  readonly seen = new Map<Hash, SealedHeader>();

  private constructor(settings: CliqueNetworkSettings, places: readonly Place[]) {
    const { seed = 1, signers, clique = { blockperiodseconds: 1 } } = settings;
    this.network = new MemoryNetwork({ clock: this.clock, seed, delayMs: 20, jitterMs: 30 });
    this.random = createRandom(seed);
    this.#places = places;
    this.#pauseMs = settings.hasTransactions === true ? 10 : 0;
    this.#genesis = cliqueGenesis({
      signers: SIGNERS.slice(0, signers),
      clique,
      timestamp: START_SECONDS,
      ...(settings.config && { config: settings.config }),
      ...(settings.alloc && { alloc: settings.alloc }),
    });
  }

  /** A network whose nodes all run. */
  static async start(settings: CliqueNetworkSettings): Promise<CliqueNetwork> {
    const count = settings.signers + (settings.others ?? 0);
    const places = await Promise.all(
      SIGNERS.slice(0, count).map(async (signer, index) => ({
        name: `n${index}`,
        signer,
        store: await createPowerFailingStore(),
        node: undefined,
      })),
    );
    const network = new CliqueNetwork(settings, places);
    for (const index of places.keys()) await network.startNode(index);
    return network;
  }

  get running(): readonly number[] {
    return [...this.#places.keys()].filter((index) => this.#at(index).node !== undefined);
  }

  node(index: number): TestNode {
    const { node } = this.#at(index);
    if (node === undefined) throw new Error(`node ${index} does not run`);
    return node;
  }

  head(index: number): SealedHeader {
    return this.node(index).node.blocks.head();
  }

  /** The heads of the running nodes. */
  heads(): readonly SealedHeader[] {
    return this.running.map((index) => this.head(index));
  }

  address(index: number) {
    return this.#at(index).signer.address;
  }

  name(index: number): string {
    return this.#at(index).name;
  }

  async startNode(index: number): Promise<void> {
    const place = this.#at(index);
    const { name, signer, store } = place;
    place.node = await createTestNode({
      plugins: [
        consensusClique,
        rpcClique,
        protocolEth,
        syncFull,
        this.network.plugin(name),
        storageOn(store),
        this.#recorder(),
      ],
      options: { networkDriver: "memory", keyValueStorage: "disk" },
      key: toHex(signer.key),
      genesis: this.#genesis,
      clock: this.clock,
    });
  }

  /** Cuts the power of a node: what was not synced is lost, from a random write on. */
  async kill(index: number): Promise<void> {
    const place = this.#at(index);
    const { node, name, store } = place;
    if (node === undefined) return;
    this.network.crash(name);
    store.fail(this.random);
    place.node = undefined;
    // Further writes are rejected.
    await node.stop().catch(() => {});
    await store.revive();
  }

  /** Advances the clock. */
  async run(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await this.clock.advance(STEP_MS);
      for (let turn = 0; turn < TURNS; turn++) await new Promise((done) => setImmediate(done));
      if (this.#pauseMs > 0) await new Promise((done) => setTimeout(done, this.#pauseMs));
    }
  }

  /** Advances the clock until a condition is true; returns how long that took. */
  async until(isTrue: () => boolean, limitMs: number): Promise<number> {
    const began = this.clock.now();
    while (!isTrue()) {
      if (this.clock.now() - began > limitMs) {
        const heads = this.heads().map(({ number, hash }) => `${number} ${hash.slice(0, 10)}`);
        throw new Error(`it does not hold after ${limitMs} ms; heads: ${heads.join(", ")}`);
      }
      await this.run(STEP_MS);
    }
    return this.clock.now() - began;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { node } of this.#places) await node?.stop();
  }

  #at(index: number): Place {
    const place = this.#places[index];
    if (place === undefined) throw new Error(`there is no node ${index}`);
    return place;
  }

  #recorder(): Plugin {
    return definePlugin({
      name: "recorder",
      setup: ({ hooks }) =>
        hooks.chain.imported.tap(({ block: { header } }) => {
          this.seen.set(header.hash, header);
        }),
    });
  }
}

/** A store that survives its node. */
function storageOn(store: PowerFailingStore): Plugin {
  return definePlugin({
    name: "storage-disk",
    setup: ({ storage }) =>
      storage.driver({
        name: "disk",
        open: async () => ({
          table: (name) => store.table(name),
          batch: () => store.batch(),
          snapshot: () => store.snapshot(),
          sync: () => store.sync(),
          close: async () => {},
        }),
      }),
  });
}
