import {
  ChainStore,
  findFlatRoot,
  problemsOfBlock,
  problemsOfHeader,
  rebuildTries,
  StateWalk,
} from "@plinth/chain";
import {
  type ConsensusEngine,
  type Hash,
  type KeyValueStore,
  type SealedBlock,
  type SealedHeader,
  StorageError,
  toHex,
} from "@plinth/core";
import { decodeHeader } from "@plinth/core/blocks";
import { verifyBody } from "@plinth/core/rules";
import { TABLES } from "@plinth/core/storage";

/** Inputs for rebuilding a chain. */
export interface Rebuild {
  readonly engine: Pick<ConsensusEngine, "hashHeader">;
  /** The previous canonical hashes, by number in hexadecimal; preferred if there is a choice. */
  readonly canonical: ReadonlyMap<string, Uint8Array>;
  /** Replaces the only state of a layout by that of block 0. */
  readonly resetState: () => Promise<void>;
  /** Receives the blocks after the new head that can be re-executed, in order; they are removed. */
  readonly saveBlock?: (block: SealedBlock) => Promise<void>;
}

/** The end of a rebuilt chain. */
export interface RebuiltChain {
  readonly head: SealedHeader;
  /** Whether the tries of its state were damaged, and written again. */
  readonly hasNewTries: boolean;
}

type Children = ReadonlyMap<Hash | undefined, readonly Hash[]>;

const BODY_TABLES = [TABLES.bodies, TABLES.senders, TABLES.receipts] as const;
const NO_BODY = { transactions: [], uncles: [] };
const BLOCKS_AT_ONCE = 500;

/**
 * Rebuilds the canonical chain of a store that has blocks, receipts and states.
 *
 * It ends with the last block up to which every header, body and receipt is present and valid, except those that are no
 * longer kept, and whose state is completely readable. Other blocks are removed, so that they can be imported again.
 * Throws `REPAIR_FAILED` if not even one block with a body is left.
 */
export async function rebuildChain(store: KeyValueStore, on: Rebuild): Promise<RebuiltChain> {
  const children = await readChildren(store);
  const first = new ChainStore(store).firstRetained();
  const whole = findWholeBlocks(store, children, on);
  const { chain, hasNewTries } = await withState(store, whole, on);
  const head = chain.at(-1);
  if (head === undefined) throw noBlockLeft();
  if (head.number < first) throw bodiesNeeded(first);
  for (const block of blocksAfter(store, head, children)) await on.saveBlock?.(block);
  await removeOthers(store, TABLES.headers, chain);
  const withBody = chain.filter(({ number }) => number === 0n || number >= first);
  for (const table of BODY_TABLES) await removeOthers(store, table, withBody);
  await writeChain(store, chain);
  return { head, hasNewTries };
}

function noBlockLeft(): StorageError {
  return new StorageError("REPAIR_FAILED", {
    message: "no intact block with a readable state is left; nothing was changed",
  });
}

/** The error of a state that only blocks without bodies could restore. */
function bodiesNeeded(first: bigint): StorageError {
  return new StorageError("REPAIR_FAILED", {
    message: `no block from ${first} on is intact with a readable state, and --blocks-retained has removed the bodies of those before, which would be executed again; nothing was changed. Restore a backup, or synchronize again into another --data-path`,
  });
}

/** The blocks after a head that have a header and a body: re-executing them restores the rest. */
function* blocksAfter(
  store: KeyValueStore,
  head: SealedHeader,
  children: Children,
): Generator<SealedBlock> {
  const source = new ChainStore(store);
  const findNext = (parent: Hash): SealedBlock | undefined =>
    (children.get(parent) ?? [])
      .map((hash) => readBlock(source, hash))
      .find((block) => block !== undefined && hasRightBody(block));
  for (let next = findNext(head.hash); next !== undefined; next = findNext(next.header.hash)) {
    yield next;
  }
}

function hasRightBody(block: SealedBlock): boolean {
  try {
    verifyBody(block);
    return true;
  } catch {
    return false;
  }
}

/** The blocks from the first one on, as long as each is complete. */
function findWholeBlocks(
  store: KeyValueStore,
  children: Children,
  { engine, canonical }: Rebuild,
): readonly SealedHeader[] {
  const source = new ChainStore(store);
  const isIntact = (hash: Hash, on: Parameters<typeof problemsOfHeader>[1]) => {
    if (source.isPruned(on.number)) {
      const header = source.findHeader(hash);
      return header !== undefined && problemsOfHeader(header, on).length === 0;
    }
    const block = readBlock(source, hash);
    return block !== undefined && problemsOfBlock(source, block, on).length === 0;
  };
  const chain: SealedHeader[] = [];
  let open = children.get(undefined) ?? [];
  for (let number = 0n; ; number++) {
    const parent = chain.at(-1);
    const before = toHex(canonical.get(number.toString(16).padStart(16, "0")) ?? new Uint8Array());
    const candidates = [...open].sort((a, b) => Number(b === before) - Number(a === before));
    const hash = candidates.find((candidate) => isIntact(candidate, { number, parent, engine }));
    const header = hash && source.findHeader(hash);
    if (hash === undefined || header === undefined) return chain;
    chain.push(header);
    open = children.get(hash) ?? [];
  }
}

/** The hashes of the children of each block; blocks of number 0 have no parent. */
async function readChildren(store: KeyValueStore): Promise<Children> {
  const children = new Map<Hash | undefined, Hash[]>();
  for await (const [key, value] of store.table(TABLES.headers).iterate()) {
    const { number, parentHash } = decodeHeader(value);
    const parent = number === 0n ? undefined : parentHash;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [toHex(key)]);
    else known.push(toHex(key));
  }
  return children;
}

/** Up to the last block with a readable state. */
async function withState(
  store: KeyValueStore,
  chain: readonly SealedHeader[],
  { resetState }: Pick<Rebuild, "resetState">,
): Promise<{ readonly chain: readonly SealedHeader[]; readonly hasNewTries: boolean }> {
  const upTo = (length: number) => ({ chain: chain.slice(0, length), hasNewTries: false });
  const only = findFlatRoot(store);
  if (only !== undefined) {
    const length = chain.findLastIndex(({ stateRoot }) => stateRoot === only) + 1;
    if (await hasState(store, chain[length - 1])) return upTo(length);
    if (await restoreTries(store, chain.at(-1))) return { chain, hasNewTries: true };
    await resetState();
    return upTo(1);
  }
  for (let length = chain.length; length > 0; length--) {
    if (await hasState(store, chain[length - 1])) return upTo(length);
  }
  return upTo(0);
}

/** Writes the tries of a block again, if the values in the database are those of its state. */
async function restoreTries(
  store: KeyValueStore,
  block: SealedHeader | undefined,
): Promise<boolean> {
  if (block === undefined) return false;
  try {
    await rebuildTries(store, block.stateRoot);
  } catch {
    // The values are damaged, or of another block.
    return false;
  }
  return hasState(store, block);
}

async function hasState(store: KeyValueStore, block: SealedHeader | undefined): Promise<boolean> {
  if (block === undefined) return false;
  for await (const { problems } of new StateWalk(store).runAll(block)) {
    if (problems.length > 0) return false;
  }
  return true;
}

async function removeOthers(
  store: KeyValueStore,
  table: string,
  kept: readonly SealedHeader[],
): Promise<void> {
  const hashes = new Set(kept.map(({ hash }) => hash));
  const batch = store.batch();
  for await (const [key] of store.table(table).iterate()) {
    if (!hashes.has(toHex(key))) batch.delete(table, key);
  }
  await batch.commit();
}

async function writeChain(store: KeyValueStore, chain: readonly SealedHeader[]): Promise<void> {
  const source = new ChainStore(store);
  let batch = store.batch();
  let totalDifficulty = 0n;
  for (const [index, header] of chain.entries()) {
    totalDifficulty += header.difficulty;
    source.putTotalDifficulty(batch, header.hash, totalDifficulty);
    // Without its body, a block has no transactions to find.
    const body = readBlock(source, header.hash)?.body ?? NO_BODY;
    source.addToCanonical(batch, { header, body });
    source.setHead(batch, header.hash);
    if ((index + 1) % BLOCKS_AT_ONCE !== 0) continue;
    await batch.commit();
    batch = store.batch();
  }
  await batch.commit({ durable: true });
}

function readBlock(source: ChainStore, hash: Hash): SealedBlock | undefined {
  try {
    return source.findBlock(hash);
  } catch {
    // A block whose body cannot be decoded is not complete.
    return undefined;
  }
}
