import {
  type Address,
  type Clock,
  getCrypto,
  type Hex,
  hexToBytes,
  loadCrypto,
  type Plugin,
  type SealedHeader,
  toHex,
} from "@plinth/core";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import protocolEth from "@plinth/plugin-protocol-eth";
import rpcEth from "@plinth/plugin-rpc-eth";
import rpcIbft from "@plinth/plugin-rpc-ibft";
import rpcQbft from "@plinth/plugin-rpc-qbft";
import syncFull from "@plinth/plugin-sync-full";
import { createTestNode, FakeClock, MemoryNetwork, type TestNode } from "@plinth/testing";

const START_SECONDS = 1_700_000_000;
const STEP_MS = 100;
/** Work started by a step of the clock needs some turns of the event loop. */
const TURNS = 15;
const PAUSE_MS = 10;

/** The inputs of a mesh. */
export interface MeshSettings {
  readonly validators: number;
  /** Nodes that are not validators at first. */
  readonly others?: number;
  readonly qbft?: object;
  /** Settings of IBFT 2.0, which produces the blocks before `qbft.startBlock`. */
  readonly ibft2?: object;
  readonly transitions?: (addresses: readonly Address[]) => readonly object[];
  readonly config?: object;
  readonly alloc?: (addresses: readonly Address[]) => object;
  /** Whether a contract determines the validators, so that the genesis block lists none. */
  readonly listsNone?: boolean;
  /** Whether code runs: that takes real time, for which each step of the clock then waits. */
  readonly runsCode?: boolean;
  readonly plugins?: readonly Plugin[];
  /** Options of every node. */
  readonly options?: object;
  /** Plugins that only some nodes have. */
  readonly pluginsOf?: (index: number) => readonly Plugin[];
  /** Members of `config.qbft` that differ between nodes, as after an operator's mistake. */
  readonly qbftOf?: (index: number) => object;
  /** The same of `config.ibft2`. */
  readonly ibft2Of?: (index: number) => object;
  /** Seconds by which the genesis blocks of some nodes differ. */
  readonly genesisOffsetOf?: (index: number) => number;
  /** Milliseconds by which the clocks of some nodes are ahead. */
  readonly clockOffsetOf?: (index: number) => number;
}

/** QBFT nodes of one process on a network in memory, under a manual clock. */
export class ValidatorMesh implements AsyncDisposable {
  readonly clock = new FakeClock(START_SECONDS * 1000);
  readonly network = new MemoryNetwork({ clock: this.clock, delayMs: 5, jitterMs: 5 });
  readonly addresses: readonly Address[];
  readonly #keys: readonly Hex[];
  readonly #settings: MeshSettings;
  readonly #nodes: TestNode[] = [];

  private constructor(settings: MeshSettings, keys: readonly Hex[]) {
    this.#settings = settings;
    this.#keys = keys;
    this.addresses = keys.map((key) =>
      getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(key))),
    );
  }

  static async start(settings: MeshSettings): Promise<ValidatorMesh> {
    await loadCrypto();
    const count = settings.validators + (settings.others ?? 0);
    const keys = Array.from(
      { length: count },
      (_, index): Hex => `0x${(index + 1).toString(16).padStart(64, "0")}`,
    );
    const mesh = new ValidatorMesh(settings, keys);
    for (const index of keys.keys()) mesh.#nodes.push(await mesh.#createNode(index));
    return mesh;
  }

  node(index: number): TestNode {
    const node = this.#nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  address(index: number): Address {
    const address = this.addresses[index];
    if (address === undefined) throw new Error(`there is no node ${index}`);
    return address;
  }

  head(index = 0): SealedHeader {
    return this.node(index).node.blocks.head();
  }

  /** Advances the clock until all nodes, or the given ones, have a block. */
  async untilHeight(
    height: number,
    nodes: readonly number[] = [...this.#nodes.keys()],
  ): Promise<void> {
    const limit = this.clock.now() + 30_000 + height * 3000;
    const areThere = () => nodes.every((index) => this.head(index).number >= BigInt(height));
    while (!areThere()) {
      if (this.clock.now() > limit) {
        const heads = nodes.map((index) => String(this.head(index).number));
        throw new Error(`no block ${height}; the heads are ${heads.join(", ")}`);
      }
      await this.run(STEP_MS);
    }
  }

  async run(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await this.clock.advance(STEP_MS);
      for (let turn = 0; turn < TURNS; turn++) await new Promise((done) => setImmediate(done));
      if (this.#settings.runsCode === true) await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }

  /** The validators of the next block, as a node sees them. */
  validators(index = 0): Promise<unknown> {
    return this.node(index).rpc("qbft_getValidatorsByBlockNumber", ["pending"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.#nodes) await node.stop();
  }

  #createNode(index: number): Promise<TestNode> {
    const { qbft, transitions, config, alloc, listsNone = false, plugins = [] } = this.#settings;
    const { ibft2 } = this.#settings;
    const codec = ibft2 === undefined ? qbftExtraData : ibftExtraData;
    const { pluginsOf, qbftOf, ibft2Of, genesisOffsetOf, clockOffsetOf } = this.#settings;
    const timestamp = START_SECONDS + (genesisOffsetOf?.(index) ?? 0);
    const listed = listsNone ? [] : this.addresses.slice(0, this.#settings.validators);
    return createTestNode({
      plugins: [
        consensusQbft,
        ...(ibft2 === undefined ? [] : [consensusIbft, rpcIbft]),
        rpcQbft,
        rpcEth,
        protocolEth,
        syncFull,
        this.network.plugin(`n${index}`),
        ...plugins,
        ...(pluginsOf?.(index) ?? []),
      ],
      key: this.#keys[index] ?? "0x",
      clock: aheadOf(this.clock, clockOffsetOf?.(index) ?? 0),
      options: { networkDriver: "memory", minGasPrice: "0", ...this.#settings.options },
      genesis: {
        config: {
          chainId: 1337,
          londonBlock: 0,
          zeroBaseFee: true,
          ...config,
          ...(ibft2 && {
            ibft2: {
              blockPeriodSeconds: 1,
              requestTimeoutSeconds: 2,
              ...ibft2,
              ...ibft2Of?.(index),
            },
          }),
          qbft: { blockPeriodSeconds: 1, requestTimeoutSeconds: 2, ...qbft, ...qbftOf?.(index) },
          ...(transitions && { transitions: { qbft: transitions(this.addresses) } }),
        },
        difficulty: "0x1",
        gasLimit: "0x1c9c380",
        timestamp: `0x${timestamp.toString(16)}`,
        extraData: toHex(codec.encodeGenesis(listed)),
        alloc: alloc?.(this.addresses) ?? {},
      },
    });
  }
}

/** A clock that shows a later time. */
function aheadOf(clock: Clock, ms: number): Clock {
  return {
    now: () => clock.now() + ms,
    sleep: (duration, signal) => clock.sleep(duration, signal),
    after: (duration, callback) => clock.after(duration, callback),
  };
}
