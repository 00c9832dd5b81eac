import { tmpdir } from "node:os";
import type { Clock, Hex, Plugin } from "@plinth/core";
import type { Logs } from "@plinth/core/kernel";
import { createNode, type Node } from "@plinth/node";
import rpcEth from "@plinth/plugin-rpc-eth";
import { exchange, resultOf } from "./callers/call.js";
import { type CommandInput, type CommandOutput, runTestCommand } from "./callers/run-command.js";
import { DEV_GENESIS, devChain } from "./chain/dev-chain.js";
import { createMine, type Mine } from "./chain/mine.js";
import { type Reorganize, reorganize } from "./chain/reorganize.js";
import { TEST_KEY, testKey } from "./chain/test-key.js";
import { createKeptStorage, KEPT_STORAGE } from "./kept-storage.js";
import { evms, testEvm } from "./test-evm.js";
import { testStates } from "./test-states.js";

/** The inputs of a test node. */
export interface TestNodeSettings {
  readonly plugins?: readonly Plugin[];
  /** By the names used in code: `{ rpcHttpPort: 0 }`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The JSON of a genesis file; by default a development chain on which `ACCOUNTS` have ether. */
  readonly genesis?: unknown;
  /** Whether a development chain has the methods of `eth`; true by default. */
  readonly eth?: boolean;
  /** The private key of the node; none by default. */
  readonly key?: Hex;
  readonly clock?: Clock;
  readonly logs?: Logs;
}

/** A running node in memory, without its own listeners. */
export interface TestNode extends AsyncDisposable {
  /** Replaced by `restart`. */
  readonly node: Node;
  /** Calls a method like a client; rejects with the error's `code` and `message`. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Produces blocks with exactly these transactions, on a development chain. */
  readonly mine: Mine;
  /**
   * Replaces the last blocks of a development chain by a longer branch; by default of empty blocks.
   *
   * From then on blocks are produced with `mine` only: transactions of the removed blocks wait in
   * the pool for the next one.
   */
  readonly reorganize: Reorganize;
  /**
   * Runs a subcommand of a plugin on the data of this node; one that writes needs the node to be
   * stopped.
   */
  command(id: string, input?: CommandInput): Promise<CommandOutput>;
  /** Removes a plugin from the running node. */
  disable(plugin: string): Promise<void>;
  stop(): Promise<void>;
  /** Stops the node if it is running, and starts it again on the same data. */
  restart(): Promise<void>;
}

/** Starts a node in memory with these plugins; `await using` stops it, also if the test fails. */
export async function createTestNode({
  plugins = [],
  options = {},
  genesis = (options.genesisFile ?? options.network) === undefined ? DEV_GENESIS : undefined,
  eth = true,
  key,
  clock,
  logs,
}: TestNodeSettings = {}): Promise<TestNode> {
  const { plugin, mine, pause } = createMine();
  const storage = createKeptStorage();
  const chain = namesDevEngine(genesis)
    ? [...devChain, plugin, ...(eth && !replacesEth(plugins) ? [rpcEth] : [])]
    : hasEvm(plugins)
      ? []
      : evms;
  const create = () =>
    createNode({
      plugins: [...new Set([...plugins, ...chain, storage, ...(key ? [testKey(key)] : [])])],
      options: {
        keyValueStorage: KEPT_STORAGE,
        // An existing folder; the storage writes nothing to it.
        dataPath: tmpdir(),
        ...(hasEvm(plugins) ? {} : { evm: testEvm }),
        ...(testStates === undefined ? {} : { dataStorageFormat: testStates }),
        XverifyOwnBlocks: true,
        XverifyResults: true,
        ...(key ? { securityModule: TEST_KEY } : {}),
        ...options,
      },
      genesis,
      ...(clock === undefined ? {} : { clock }),
      ...(logs === undefined ? {} : { logs }),
    });
  const start = async () => {
    const node = await create();
    await node.start();
    return { node, call: connect(node) };
  };
  let running = await start();
  const stop = () => running.node.stop();
  return {
    get node() {
      return running.node;
    },
    rpc: (method, params) => running.call(method, params),
    mine,
    reorganize(depth, ...blocks) {
      pause();
      return reorganize(running.node, depth, blocks);
    },
    command: async (id, input = {}) => runTestCommand(await create(), id, input),
    disable: (plugin) => running.node.disable(plugin),
    stop,
    async restart() {
      await stop();
      running = await start();
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Whether the test provides the methods of `eth`, or their services. */
function replacesEth(plugins: readonly Plugin[]): boolean {
  const provided = rpcEth.provides ?? [];
  return plugins.some(
    ({ name, provides = [] }) =>
      name === rpcEth.name || provides.some((service) => provided.includes(service)),
  );
}

/** Whether the test provides its own EVM. */
function hasEvm(plugins: readonly Plugin[]): boolean {
  return plugins.some(({ name }) => name.startsWith("evm-"));
}

/** Whether the genesis file is one of a development chain. */
function namesDevEngine(genesis: unknown): boolean {
  return Object.hasOwn(Object(Object(genesis).config), "dev");
}

/** A client with access to every namespace, through the same envelope as any listener's. */
function connect(node: Node) {
  const endpoint = node.rpc.endpoint({
    name: "test",
    transport: "test",
    namespaces: [...new Set(node.methods().map(({ namespace }) => namespace))],
    duplex: false,
    maxBatchSize: 0,
  });
  const client = { endpoint, closed: new AbortController().signal };
  return async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    const { json } = await exchange(node, client, { jsonrpc: "2.0", id: 1, method, params });
    return resultOf(json);
  };
}
