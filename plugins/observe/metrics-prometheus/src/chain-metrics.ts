import type { BlockReader, NodeHooks, PluginMetrics, Runtime } from "@plinth/core";
import type { Collect } from "@plinth/core/kernel";

/** Creates a collector that reads the running node; it collects nothing while none runs. */
export type Reader = (read: (runtime: Runtime) => ReturnType<Collect>) => Collect;

/** Metrics of the chain and its head block. */
export function measureChain(metrics: PluginMetrics, reader: Reader): void {
  const ofChain = (read: (blocks: BlockReader) => ReturnType<Collect>) =>
    reader(({ chain }) => read(chain.blocks));
  const gauge = (area: string, name: string, help: string, collect: Collect) =>
    metrics.area(area).gauge({ name, help, collect });
  const numberOf = (header: { readonly number: bigint } | undefined) =>
    header === undefined ? [] : Number(header.number);

  gauge(
    "ethereum",
    "blockchain_height",
    "Number of the head block.",
    ofChain((blocks) => numberOf(blocks.head())),
  );
  gauge(
    "ethereum",
    "best_known_block_number",
    "Number of the highest known block.",
    reader(({ chain, sync }) => {
      const { number } = chain.blocks.head();
      const highest = sync.progress?.highest ?? number;
      // The last report of peers may be older than the current head.
      return Number(highest > number ? highest : number);
    }),
  );
  gauge(
    "synchronizer",
    "in_sync",
    "1 if the node is in sync with its peers, 0 while it is syncing.",
    reader(({ sync }) => (sync.isSyncing ? 0 : 1)),
  );
  gauge(
    "ethereum",
    "blockchain_finalized_block",
    "Number of the last finalized block.",
    ofChain((blocks) => numberOf(blocks.finalized())),
  );
  gauge(
    "ethereum",
    "blockchain_safe_block",
    "Number of the last safe block, which is the finalized one.",
    ofChain((blocks) => numberOf(blocks.finalized())),
  );
  gauge(
    "ethereum",
    "peer_count",
    "Number of connected peers.",
    reader(({ network }) => network.peers().length),
  );
  gauge(
    "ethereum",
    "peer_limit",
    "Maximum number of peers, not counting static ones.",
    reader(({ network }) => network.maxPeers),
  );
  gauge(
    "ethereum",
    "min_gas_price",
    "Minimum gas price of transactions in blocks from this node, in wei.",
    reader(({ building }) => (building === undefined ? [] : Number(building.minGasPrice))),
  );
  gauge(
    "ethereum",
    "min_priority_fee",
    "Minimum priority fee of transactions in blocks from this node, in wei.",
    reader(({ building }) => (building === undefined ? [] : Number(building.minPriorityFee))),
  );
  gauge(
    "blockchain",
    "chain_head_timestamp",
    "Time of the head block, in seconds since 1970.",
    ofChain((blocks) => Number(blocks.head().timestamp)),
  );
  gauge(
    "blockchain",
    "chain_head_gas_used",
    "Gas used by the head block.",
    ofChain((blocks) => Number(blocks.head().gasUsed)),
  );
  gauge(
    "blockchain",
    "chain_head_gas_limit",
    "Gas limit of the head block.",
    ofChain((blocks) => Number(blocks.head().gasLimit)),
  );
  gauge(
    "blockchain",
    "chain_head_transaction_count",
    "Transactions of the head block.",
    ofChain((blocks) => bodyOfHead(blocks)?.transactions.length ?? []),
  );
  gauge(
    "blockchain",
    "chain_head_ommer_count",
    "Uncles of the head block.",
    ofChain((blocks) => bodyOfHead(blocks)?.uncles.length ?? []),
  );
  gauge(
    "blockchain",
    "difficulty_total",
    "Total difficulty of the chain.",
    ofChain((blocks) => Number(blocks.findTotalDifficulty(blocks.head().hash) ?? 0n)),
  );
}

/** Counts the contents of blocks that join the chain. */
export function countBlocks(metrics: PluginMetrics, { chain }: Pick<NodeHooks, "chain">): void {
  const area = metrics.area("blockchain");
  const gas = area.counter({
    name: "chain_head_gas_used_counter",
    help: "Gas used by the blocks of the chain since the start of the node.",
  });
  const transactions = area.counter({
    name: "chain_head_transaction_count_counter",
    help: "Transactions of the blocks of the chain since the start of the node.",
  });
  chain.headChanged.tap(({ added }) => {
    for (const { header, body } of added) {
      gas.increment(Number(header.gasUsed));
      transactions.increment(body.transactions.length);
    }
  });
}

function bodyOfHead(blocks: BlockReader) {
  return blocks.findBlock(blocks.head().hash)?.body;
}
