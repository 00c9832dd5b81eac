import type { BlockReader, NodeHooks, PluginMetrics, Runtime } from "@plinth/core";
import type { Collect } from "@plinth/core/kernel";

/** Makes a collector that reads the running node; it collects nothing while none runs. */
export type Reader = (read: (runtime: Runtime) => ReturnType<Collect>) => Collect;

/** Measures the chain: where it stands, and what its last block is like. */
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
    "Number of the last block.",
    ofChain((blocks) => numberOf(blocks.head())),
  );
  gauge(
    "ethereum",
    "best_known_block_number",
    "Number of the highest block that is known of.",
    reader(({ chain, sync }) => {
      const { number } = chain.blocks.head();
      const highest = sync.progress?.highest ?? number;
      // What peers said last may be older than what has come since then.
      return Number(highest > number ? highest : number);
    }),
  );
  gauge(
    "synchronizer",
    "in_sync",
    "1 when the node is not behind its peers, 0 while it catches up.",
    reader(({ sync }) => (sync.isSyncing ? 0 : 1)),
  );
  gauge(
    "ethereum",
    "blockchain_finalized_block",
    "Number of the last block that nothing replaces any more.",
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
    "How many nodes are connected.",
    reader(({ network }) => network.peers().length),
  );
  gauge(
    "ethereum",
    "peer_limit",
    "How many nodes may be connected, static ones apart.",
    reader(({ network }) => network.maxPeers),
  );
  gauge(
    "ethereum",
    "min_gas_price",
    "Least gas price of transactions in blocks of this node, in wei.",
    reader(({ building }) => (building === undefined ? [] : Number(building.minGasPrice))),
  );
  gauge(
    "ethereum",
    "min_priority_fee",
    "Least priority fee of transactions in blocks of this node, in wei.",
    reader(({ building }) => (building === undefined ? [] : Number(building.minPriorityFee))),
  );
  gauge(
    "blockchain",
    "chain_head_timestamp",
    "Time of the last block, in seconds since 1970.",
    ofChain((blocks) => Number(blocks.head().timestamp)),
  );
  gauge(
    "blockchain",
    "chain_head_gas_used",
    "Gas that the last block used.",
    ofChain((blocks) => Number(blocks.head().gasUsed)),
  );
  gauge(
    "blockchain",
    "chain_head_gas_limit",
    "Gas limit of the last block.",
    ofChain((blocks) => Number(blocks.head().gasLimit)),
  );
  gauge(
    "blockchain",
    "chain_head_transaction_count",
    "Transactions of the last block.",
    ofChain((blocks) => bodyOfHead(blocks)?.transactions.length ?? []),
  );
  gauge(
    "blockchain",
    "chain_head_ommer_count",
    "Uncles of the last block.",
    ofChain((blocks) => bodyOfHead(blocks)?.uncles.length ?? []),
  );
  gauge(
    "blockchain",
    "difficulty_total",
    "Total difficulty of the chain.",
    ofChain((blocks) => Number(blocks.findTotalDifficulty(blocks.head().hash) ?? 0n)),
  );
}

/** Counts what the blocks that become part of the chain hold. */
export function countBlocks(metrics: PluginMetrics, { chain }: Pick<NodeHooks, "chain">): void {
  const area = metrics.area("blockchain");
  const gas = area.counter({
    name: "chain_head_gas_used_counter",
    help: "Gas that the blocks of the chain used since the start of the node.",
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
