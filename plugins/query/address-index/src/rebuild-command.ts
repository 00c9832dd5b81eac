import { command, PlinthError, type PluginTable } from "@plinth/core";
import { readRecords } from "./record-query.js";
import { StoredAddressIndex } from "./stored-address-index.js";

/** `operator rebuild-address-index`: removes the index of a chain and builds it again, while no node runs on it. */
export const rebuildAddressIndex = (table: PluginTable) =>
  command({
    id: "operator rebuild-address-index",
    summary: "Removes the address index and builds it again from the blocks.",
    examples: [
      "plinth --genesis-file=genesis.json --data-path=data operator rebuild-address-index",
    ],
    flags: {},
    uses: { chain: true },
    async run({ io, openChain, signal }) {
      await using chain = await openChain();
      const { blocks } = chain;
      const read = readRecords.bind(undefined, blocks);
      const index = new StoredAddressIndex(table, blocks, read);
      await index.clear();
      let entries = 0;
      while (!signal.aborted) {
        const added = await index.fill(signal);
        if (added === undefined) break;
        entries += added;
        io.status?.show(`block ${index.lastBlock ?? 0n} of ${blocks.head().number}`);
      }
      io.status?.clear();
      if (signal.aborted) {
        throw new PlinthError("REBUILD_STOPPED", {
          message: "Stopped before the end; a node with --address-index-enabled builds the rest.",
        });
      }
      const { firstBlock = 0n, lastBlock = 0n } = index;
      await io.write(`Blocks ${firstBlock} to ${lastBlock}: ${entries} entries.`);
    },
  });
