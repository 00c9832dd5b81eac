import { existsSync } from "node:fs";
import { ChainStore, openStatesAtRest } from "@plinth/chain";
import { ConfigError, command, option } from "@plinth/core";
import { SnapshotWriter } from "@plinth/kit-snapshot";
import { describeManifest, manifestJson } from "../describe-manifest.js";
import { Progress } from "../progress.js";
import { chooseBlock, getHeader } from "./choose-block.js";
import { openFrozen } from "./open-frozen.js";
import { writeBlocks, writeHeaders } from "./write-blocks.js";
import { writeState } from "./write-state.js";

/** `snapshot create DIR`: writes a snapshot of a stopped or a running node. */
export const create = command({
  id: "snapshot create",
  summary:
    "Writes a snapshot of the chain into a folder, even while the node runs; takes about a minute per two million accounts and slots.",
  examples: [
    "plinth --genesis-file=genesis.json --data-path=data snapshot create /snapshots/today",
    "plinth --genesis-file=genesis.json --data-path=data snapshot create /snapshots/1200000 --block=1200000",
  ],
  flags: {
    block: option.integer({
      summary: "The block of the state; by default the last one that headers prove.",
      min: 0,
    }),
    json: option.flag({ summary: "Prints one JSON object instead of text." }),
  },
  args: {
    placeholder: "DIR",
    summary: "A folder that is empty or does not exist.",
    min: 1,
    max: 1,
  },
  uses: { chain: true },
  async run({ args: [path = ""], flags: { block, json }, io, storedChain, signal }) {
    const stored = await storedChain();
    if (!existsSync(stored.folder)) {
      throw new ConfigError("DATABASE_MISSING", {
        message: `there is no database in ${stored.folder}; specify the node's --data-path`,
      });
    }
    await using writer = await SnapshotWriter.create(path);
    await using frozen = await openFrozen(stored);
    const { store } = frozen;
    await stored.verifyGenesis(store, stored.folder);
    const chain = new ChainStore(store);
    const { header, lastHeader } = await chooseBlock(chain, stored.engine, block);
    const states = await openStatesAtRest(store);
    states.verifyKept(header);

    const progress = new Progress(io, signal);
    const on = { chain, writer, progress };
    await writeHeaders(on, lastHeader);
    await writeState({ states, writer, progress }, header);
    await writeBlocks(on, header);
    const { number, hash, stateRoot } = header;
    const manifest = await writer.complete({
      chainId: stored.describeHead(store)?.chainId ?? 0n,
      genesisHash: getHeader(chain, 0n).hash,
      block: { number, hash, stateRoot },
    });
    progress.end();
    await io.write(
      json
        ? JSON.stringify(manifestJson(manifest))
        : `Snapshot in ${path}: ${describeManifest(manifest)}`,
    );
  },
});
