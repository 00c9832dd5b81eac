import type { ConsensusEngine, Hash, Receipt, SealedBlock, SealedHeader } from "@plinth/core";
import { messageOf, toHex } from "@plinth/core";
import { bloomOfLogs, receiptsRoot } from "@plinth/core/blocks";
import type { StoredProblem, VerifiedBlock } from "@plinth/core/chain";
import { createBloom, mergeIntoBloom } from "@plinth/core/primitives";
import { verifyBody } from "@plinth/core/rules";
import type { ChainStore } from "../store/chain-store.js";

/**
 * Verifies every block of the canonical chain: header, body, receipts, total difficulty and index.
 *
 * Blocks whose bodies and receipts are no longer kept have a header and a total difficulty.
 */
export function* verifyBlocks(
  chain: ChainStore,
  engine: Pick<ConsensusEngine, "hashHeader">,
): Generator<VerifiedBlock> {
  const { head, first, problems } = readEnds(chain);
  if (problems.length > 0) yield { number: 0n, problems };
  const firstUnproven = chain.findFirstUnproven();
  let parent: SealedHeader | undefined;
  for (let number = 0n; isOnChain(chain, number, head); number++) {
    if (firstUnproven !== undefined && number === 1n) {
      // Before that, only block 0 is on the chain, and it is not the parent.
      number = firstUnproven;
      parent = undefined;
    }
    const found: string[] = [];
    const isPruned = number > 0n && number < first;
    const on = { number, parent, engine };
    parent = isPruned ? verifyPruned(chain, on, found) : verifyWhole(chain, on, found);
    yield { number, problems: found.map((problem) => ({ where: `block ${number}`, problem })) };
  }
  yield* verifyEnd(chain, head);
}

/** The place of a block on the chain. */
interface BlockPlace {
  readonly number: bigint;
  readonly parent: SealedHeader | undefined;
  readonly engine: Pick<ConsensusEngine, "hashHeader">;
}

function verifyWhole(chain: ChainStore, on: BlockPlace, found: string[]): SealedHeader | undefined {
  const block = readStored(chain, on, { found, read: (hash) => chain.findBlock(hash) });
  if (block === undefined) return undefined;
  found.push(...problemsOfBlock(chain, block, on));
  found.push(...problemsOf(() => verifyWeight(chain, block.header)));
  found.push(...problemsOf(() => verifyIndex(chain, block)));
  return block.header;
}

function verifyPruned(
  chain: ChainStore,
  on: BlockPlace,
  found: string[],
): SealedHeader | undefined {
  const header = readStored(chain, on, { found, read: (hash) => chain.findHeader(hash) });
  if (header === undefined) return undefined;
  found.push(...problemsOfHeader(header, on));
  found.push(...problemsOf(() => verifyWeight(chain, header)));
  return header;
}

/**
 * The problems of a block itself: header, body and receipts; not of the indexes that lead to it.
 */
export function problemsOfBlock(
  chain: ChainStore,
  block: SealedBlock,
  on: BlockPlace,
): readonly string[] {
  return [
    ...problemsOfHeader(block.header, on),
    ...problemsOf(() => verifyBody(block)),
    ...problemsOf(() => verifyReceipts(chain, block)),
  ];
}

/** Up to the head; up to the last number if the head cannot be read. */
function isOnChain(chain: ChainStore, number: bigint, head: SealedHeader | undefined): boolean {
  if (head !== undefined) return number <= head.number;
  try {
    return chain.findHash(number) !== undefined;
  } catch {
    return true;
  }
}

/** The head, and the first block whose body is kept. */
function readEnds(chain: ChainStore): {
  readonly head: SealedHeader | undefined;
  readonly first: bigint;
  readonly problems: readonly StoredProblem[];
} {
  try {
    const [head, first] = [chain.findHead(), chain.firstRetained()];
    const isAbove = head !== undefined && first > head.number;
    const problem = `the bodies of blocks from ${first} on are kept, although the head is below it`;
    return { head, first, problems: isAbove ? [{ where: "head", problem }] : [] };
  } catch (error) {
    const problems = [{ where: "head", problem: `it cannot be read: ${messageOf(error)}` }];
    return { head: undefined, first: 0n, problems };
  }
}

function readStored<T>(
  chain: ChainStore,
  { number }: BlockPlace,
  { found, read }: { readonly found: string[]; readonly read: (hash: Hash) => T | undefined },
): T | undefined {
  try {
    const hash = chain.findHash(number);
    if (hash === undefined) {
      found.push("it is missing from the canonical chain");
      return undefined;
    }
    const stored = read(hash);
    if (stored === undefined) found.push(`its header or body is missing (${hash})`);
    return stored;
  } catch (error) {
    found.push(`it cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

/** The problems of a header. */
export function problemsOfHeader(
  header: SealedHeader,
  { number, parent, engine }: BlockPlace,
): readonly string[] {
  const hash = engine.hashHeader(header);
  return [
    ...(hash === header.hash
      ? []
      : [`its header has the hash ${hash}, but it is stored as ${header.hash}`]),
    ...(header.number === number ? [] : [`its header has the number ${header.number}`]),
    ...(parent === undefined || header.parentHash === parent.hash
      ? []
      : [`its parent is ${header.parentHash}, but the block before it is ${parent.hash}`]),
  ];
}

function verifyReceipts(chain: ChainStore, { header, body }: SealedBlock): void {
  const receipts = chain.findReceipts(header.hash);
  if (receipts === undefined) throw new RangeError("its receipts are missing");
  if (receipts.length !== body.transactions.length) {
    throw new RangeError(
      `it has ${body.transactions.length} transactions and ${receipts.length} receipts`,
    );
  }
  const expect = (what: string, has: unknown, says: unknown) => {
    if (has !== says) throw new RangeError(`its header has ${what} ${says}, its receipts ${has}`);
  };
  expect("receipts root", receiptsRoot(receipts), header.receiptsRoot);
  expect("gas used", receipts.at(-1)?.cumulativeGasUsed ?? 0n, header.gasUsed);
  expect("bloom", toHex(bloomOf(receipts)), toHex(header.logsBloom));
}

function bloomOf(receipts: readonly Receipt[]) {
  const bloom = createBloom();
  for (const { logs } of receipts) mergeIntoBloom(bloom, bloomOfLogs(logs));
  return bloom;
}

function verifyWeight(chain: ChainStore, header: SealedHeader): void {
  const before = header.number === 0n ? 0n : chain.findTotalDifficulty(header.parentHash);
  const weight = chain.findTotalDifficulty(header.hash);
  if (before === undefined || weight === before + header.difficulty) return;
  throw new RangeError(
    `its total difficulty is stored as ${weight}, expected ${before + header.difficulty}`,
  );
}

function verifyIndex(chain: ChainStore, { header, body }: SealedBlock): void {
  for (const [index, { hash }] of body.transactions.entries()) {
    const place = chain.findTransaction(hash);
    if (place?.blockHash === header.hash && place.index === index) continue;
    throw new RangeError(
      `its transaction ${index} (${hash}) is missing from the index of transactions`,
    );
  }
}

/** Checks that there is nothing above the head. */
function* verifyEnd(chain: ChainStore, head: SealedHeader | undefined): Generator<VerifiedBlock> {
  if (head === undefined) return;
  const number = head.number + 1n;
  if (chain.findHash(number) === undefined) return;
  const where = `block ${number}`;
  yield {
    number,
    problems: [{ where, problem: "it is canonical, although the head is below it" }],
  };
}

function problemsOf(verify: () => void): readonly string[] {
  try {
    verify();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}
