// The peer of the import benchmark: `runBlock` of stock EthereumJS, with its own crypto, its state
// manager with all caches, on LevelDB.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBlockFromRLP } from "@ethereumjs/block";
import { createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common";
import { createMPT } from "@ethereumjs/mpt";
import { Caches, MerkleStateManager } from "@ethereumjs/statemanager";
import { createAccount, createAddressFromString } from "@ethereumjs/util";
import { createVM, runBlock } from "@ethereumjs/vm";
import { ClassicLevel } from "classic-level";

/** The database interface of EthereumJS's trie, which names text encodings differently. */
class LevelDatabase {
  constructor(level) {
    this.level = level;
  }
  get(key, settings) {
    return this.level.get(key, encodings(settings));
  }
  put(key, value, settings) {
    return this.level.put(key, value, encodings(settings));
  }
  del(key, settings) {
    return this.level.del(key, encodings(settings));
  }
  batch(operations) {
    return this.level.batch(
      operations.map(({ opts, ...operation }) => ({ ...operation, ...encodings(opts) })),
    );
  }
  shallowCopy() {
    return new LevelDatabase(this.level);
  }
  async open() {}
}

function encodings({ keyEncoding, valueEncoding } = {}) {
  const name = (encoding) => (encoding === "string" ? "utf8" : encoding);
  return { keyEncoding: name(keyEncoding), valueEncoding: name(valueEncoding) };
}

/** Runs the blocks on a state with one account; returns the seconds it took. */
export async function importStock(blocks, { address, balance }) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-bench-"));
  const level = new ClassicLevel(folder);
  const common = createCustomCommon({ chainId: 1337 }, Mainnet, {
    // After the merge, because before it a block rewards its miner, which a development chain does
    // not.
    hardfork: Hardfork.Shanghai,
  });
  const trie = await createMPT({ db: new LevelDatabase(level), useKeyHashing: true, common });
  const stateManager = new MerkleStateManager({ trie, common, caches: new Caches() });
  await stateManager.putAccount(
    createAddressFromString(address),
    createAccount({ nonce: 0n, balance }),
  );
  await stateManager.flush();
  const vm = await createVM({ common, stateManager });
  const begun = performance.now();
  for (const bytes of blocks) {
    const block = createBlockFromRLP(bytes, { common, skipConsensusFormatValidation: true });
    await runBlock(vm, { block, skipBlockValidation: true, skipHeaderValidation: true });
  }
  const seconds = (performance.now() - begun) / 1000;
  await level.close();
  rmSync(folder, { recursive: true, force: true });
  return seconds;
}
