import { type Clock, createNode, type Logs, type Node, type Plugin } from "@plinth/core";
import { exchange, resultOf } from "./call.js";
import { DEV_GENESIS, devChain, evm } from "./dev-chain.js";
import { createMine, type Mine } from "./mine.js";

/** What a test node is made of. */
export interface TestNodeSettings {
  readonly plugins?: readonly Plugin[];
  /** By the names that code uses: `{ rpcHttpPort: 0 }`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The JSON of a genesis file; a development chain on which Alice has ether when left out. */
  readonly genesis?: unknown;
  readonly clock?: Clock;
  readonly logs?: Logs;
}

/** A running node in memory, without listeners of its own. */
export interface TestNode extends AsyncDisposable {
  readonly node: Node;
  /** Calls a method as a client would; rejects with the error's `code` and `message`. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Makes blocks with exactly these transactions, on a development chain. */
  readonly mine: Mine;
  /** Takes a plugin out of the running node. */
  disable(plugin: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a node in memory with these plugins; `await using` stops it, also when the test fails. */
export async function createTestNode({
  plugins = [],
  options = {},
  genesis = (options.genesisFile ?? options.network) === undefined ? DEV_GENESIS : undefined,
  clock,
  logs,
}: TestNodeSettings = {}): Promise<TestNode> {
  const { plugin, mine } = createMine();
  const added = namesDevEngine(genesis) ? [...devChain, plugin] : hasEvm(plugins) ? [] : [evm];
  const node = await createNode({
    plugins: [...new Set([...plugins, ...added])],
    options: { keyValueStorage: "memory", XverifyOwnBlocks: true, XverifyResults: true, ...options },
    genesis,
    ...(clock === undefined ? {} : { clock }),
    ...(logs === undefined ? {} : { logs }),
  });
  await node.start();
  const call = connect(node);
  const stop = () => node.stop();
  return {
    node,
    rpc: call,
    mine,
    disable: (plugin) => node.disable(plugin),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Whether the test brings an EVM of its own. */
function hasEvm(plugins: readonly Plugin[]): boolean {
  return plugins.some(({ name }) => name.startsWith("evm-"));
}

/** Whether the genesis file is one of a development chain. */
function namesDevEngine(genesis: unknown): boolean {
  return Object.hasOwn(Object(Object(genesis).config), "dev");
}

/** A client that sees every namespace, through the same envelope as any listener's. */
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
