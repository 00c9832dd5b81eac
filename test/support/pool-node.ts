import { tmpdir } from "node:os";
import {
  type Address,
  type Clock,
  createMemoryStorageDriver,
  defineEngine,
  definePlugin,
  type KeyValueStore,
  keccakHeader,
  type Plugin,
  type ProducerHost,
  type SealedHeader,
  type Transaction,
  t,
} from "@plinth/core";
import { encodeUnsigned, type UnsignedTransaction } from "@plinth/core/blocks";
import { createNode } from "@plinth/node";
import evmPlinth from "@plinth/plugin-evm-plinth";
import { FakeClock } from "@plinth/testing";

/** A node whose blocks and branches are controlled by the test. */
export interface PoolNode {
  readonly pool: NonNullable<Awaited<ReturnType<typeof createNode>>["pool"]>;
  readonly blocks: NonNullable<Awaited<ReturnType<typeof createNode>>["blocks"]>;
  readonly host: ProducerHost;
  /** Produces a block with pending transactions. */
  mine(): Promise<SealedHeader>;
  /** Produces a block with exactly these, on any parent; a longer branch becomes the chain. */
  extend(parent: SealedHeader, transactions: readonly Transaction[]): Promise<SealedHeader>;
  stop(): Promise<void>;
}

/** The inputs of such a node. */
export interface PoolNodeSettings {
  readonly store?: KeyValueStore;
  readonly clock?: Clock;
  readonly genesis?: object;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly plugins?: readonly Plugin[];
  /** The period of blocks; none by default. */
  readonly periodMs?: number;
}

const RICH = `0x${(10n ** 30n).toString(16)}`;

/** The sender with that number; all of them are funded. */
export function senderOf(index: number): Address {
  return `0x${(0xa000 + index).toString(16).padStart(40, "0")}`;
}

/** A genesis file with this many senders. */
export function poolGenesis(senders: number, config: object = {}): object {
  const accounts = Array.from({ length: senders }, (_, index) => [
    senderOf(index),
    { balance: RICH },
  ]);
  return {
    config: { chainId: 1337, londonBlock: 0, pooltest: {}, ...config },
    gasLimit: "0x1c9c380",
    difficulty: "0x1",
    baseFeePerGas: "0x7",
    alloc: Object.fromEntries(accounts),
  };
}

/** A memory store that survives the node that opens it. */
export function createLastingStore(): Promise<KeyValueStore> {
  return createMemoryStorageDriver().open({ folder: "" });
}

/** An unsigned transfer, as the pool accepts it together with its sender. */
export function aTransfer(fields: Partial<UnsignedTransaction>, sender: Address): Uint8Array {
  const transfer = { chainId: 1337n, nonce: 0n, gasLimit: 21_000n, value: 0n };
  const to: Address = `0x${"b0".repeat(20)}`;
  return encodeUnsigned(
    { ...transfer, to, data: new Uint8Array(), gasPrice: 1_000_000_000n, ...fields },
    sender,
  );
}

/** Starts a node. */
export async function startPoolNode(settings: PoolNodeSettings = {}): Promise<PoolNode> {
  const store = settings.store ?? (await createLastingStore());
  let host: ProducerHost | undefined;
  const node = await createNode({
    plugins: [
      evmPlinth,
      keepingStore(store),
      engine((given) => {
        host = given;
      }, settings.periodMs),
      ...(settings.plugins ?? []),
    ],
    // An existing folder: nothing is written to it.
    options: {
      keyValueStorage: "lasting",
      dataPath: tmpdir(),
      XverifyOwnBlocks: true,
      ...settings.options,
    },
    genesis: settings.genesis ?? poolGenesis(4),
    clock: settings.clock ?? new FakeClock(1_700_000_000_000),
  });
  await node.start();
  const { pool, blocks } = node;
  if (pool === undefined || blocks === undefined || host === undefined) {
    throw new Error("the node has no chain");
  }
  const given = host;
  return {
    pool,
    blocks,
    host: given,
    async mine() {
      return given.submit(await given.build({ timestamp: blocks.head().timestamp + 1n }));
    },
    async extend(parent, transactions) {
      const timestamp = parent.timestamp + 1n;
      const built = await blocks.build({ parent, timestamp, candidates: transactions });
      return (await blocks.submit(built)).block.header;
    },
    stop: () => node.stop(),
  };
}

function engine(produced: (host: ProducerHost) => void, periodMs: number | undefined): Plugin {
  return definePlugin({
    name: "consensus-pooltest",
    setup: ({ consensus }) =>
      consensus.engine(
        defineEngine({
          key: "pooltest",
          settings: t.object({}),
          create: () => ({
            finality: "eventual",
            hashHeader: keccakHeader,
            author: ({ coinbase }) => coinbase,
            feeRecipient: ({ coinbase }) => coinbase,
            verifyHeader: () => {},
            prepareHeader: (draft) => ({ ...draft, difficulty: 1n }),
            forkField: () => "optional",
            ...(periodMs === undefined ? {} : { periodMs: () => periodMs }),
            produce: async (host) => {
              produced(host);
              await new Promise<void>((resolve) =>
                host.signal.addEventListener("abort", () => resolve()),
              );
            },
          }),
        }),
      ),
  });
}

function keepingStore(store: KeyValueStore): Plugin {
  const lasting: KeyValueStore = {
    table: (name) => store.table(name),
    batch: () => store.batch(),
    snapshot: () => store.snapshot(),
    ...(store.sync && { sync: store.sync }),
    close: async () => {},
  };
  return definePlugin({
    name: "storage-lasting",
    setup: ({ storage }) => storage.driver({ name: "lasting", open: async () => lasting }),
  });
}
