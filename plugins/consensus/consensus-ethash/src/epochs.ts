import { runInTurns } from "@plinth/core/async";
import { LruMap, loadKeccak512 } from "@plinth/core/primitives";
import { fillCache, seedOf } from "./cache.js";
import { Hashimoto } from "./hashimoto.js";
import { cacheSize, datasetSize, EPOCH_BLOCKS } from "./sizes.js";

/** Blocks near the end of an epoch may arrive before and after those of the next. */
const EPOCHS_KEPT = 2;

/** The hash function of each epoch, created when first needed; those of the last two are cached. */
export class Epochs {
  readonly #made = new LruMap<number, Promise<Hashimoto>>({ max: EPOCHS_KEPT });

  /** The hash function for a block; a new epoch takes seconds, during which others can run. */
  for(number: bigint): Promise<Hashimoto> {
    const epoch = Number(number / EPOCH_BLOCKS);
    const known = this.#made.peek(epoch);
    if (known !== undefined) return known;
    const made = makeHashimoto(epoch);
    this.#made.add(epoch, made);
    return made;
  }
}

/** Shared by all nodes of the process: a cache depends only on the number of its epoch. */
export const sharedEpochs = new Epochs();

async function makeHashimoto(epoch: number): Promise<Hashimoto> {
  const keccak512 = await loadKeccak512();
  const cache = new Uint8Array(cacheSize(epoch));
  await runInTurns(fillCache(cache, seedOf(epoch), keccak512));
  return new Hashimoto(cache, datasetSize(epoch), keccak512);
}
