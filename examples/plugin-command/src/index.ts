import { command, definePlugin, option } from "@plinth/core";

/** `count transactions`: the number of transactions of a chain. */
const countTransactions = command({
  id: "count transactions",
  summary: "Counts the transactions of the chain.",
  examples: [
    "plinth --genesis-file=genesis.json --data-path=data count transactions",
    "plinth --genesis-file=genesis.json --data-path=data count transactions --from=100",
  ],
  flags: { from: option.integer({ summary: "First block.", default: 0, min: 0 }) },
  uses: { chain: true },
  async run({ flags, io, openChain, signal }) {
    await using chain = await openChain();
    const { blocks } = chain;
    let sum = 0;
    for (let number = BigInt(flags.from); number <= blocks.head().number; number++) {
      if (signal.aborted) return 1;
      sum += blocks.findBlock(number)?.body.transactions.length ?? 0;
    }
    await io.write(`${sum} transactions`);
    return 0;
  },
});

export default definePlugin({
  name: "cmd-count",
  setup: (node) => node.cli.command(countTransactions),
});
