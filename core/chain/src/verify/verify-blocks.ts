import type { ConsensusEngine, Receipt, SealedBlock, SealedHeader } from "@plinth/core";
import { messageOf, toHex } from "@plinth/core";
import { bloomOfLogs, receiptsRoot } from "@plinth/core/blocks";
import type { StoredProblem, VerifiedBlock } from "@plinth/core/chain";
import { createBloom, mergeIntoBloom } from "@plinth/core/primitives";
import { verifyBody } from "@plinth/core/rules";
import type { ChainStore } from "../store/chain-store.js";

/**
 * Verifies every block of the canonical chain: header, body, receipts, total difficulty and index.
 */
export function* verifyBlocks(
  chain: ChainStore,
  engine: Pick<ConsensusEngine, "hashHeader">,
): Generator<VerifiedBlock> {
  const { head, problems } = readHead(chain);
  if (problems.length > 0) yield { number: 0n, problems };
  let parent: SealedHeader | undefined;
  for (let number = 0n; isOnChain(chain, number, head); number++) {
    const found: string[] = [];
    const block = readBlock(chain, number, found);
    if (block !== undefined) {
      found.push(...problemsOfBlock(chain, block, { number, parent, engine }));
      found.push(...problemsOf(() => verifyWeight(chain, block.header)));
      found.push(...problemsOf(() => verifyIndex(chain, block)));
    }
    parent = block?.header;
    yield { number, problems: found.map((problem) => ({ where: `block ${number}`, problem })) };
  }
  yield* verifyEnd(chain, head);
}

/**
 * The problems of a block itself: header, body and receipts; not of the indexes that lead to it.
 */
export function problemsOfBlock(
  chain: ChainStore,
  block: SealedBlock,
  on: {
    readonly number: bigint;
    readonly parent: SealedHeader | undefined;
    readonly engine: Pick<ConsensusEngine, "hashHeader">;
  },
): readonly string[] {
  return [
    ...verifyHeader(block.header, on),
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

function readHead(chain: ChainStore): {
  readonly head: SealedHeader | undefined;
  readonly problems: readonly StoredProblem[];
} {
  try {
    return { head: chain.findHead(), problems: [] };
  } catch (error) {
    const problems = [{ where: "head", problem: `it cannot be read: ${messageOf(error)}` }];
    return { head: undefined, problems };
  }
}

function readBlock(chain: ChainStore, number: bigint, found: string[]): SealedBlock | undefined {
  try {
    const hash = chain.findHash(number);
    if (hash === undefined) {
      found.push("it is missing from the canonical chain");
      return undefined;
    }
    const block = chain.findBlock(hash);
    if (block === undefined) found.push(`its header or body is missing (${hash})`);
    return block;
  } catch (error) {
    found.push(`it cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

function verifyHeader(
  header: SealedHeader,
  on: {
    readonly number: bigint;
    readonly parent: SealedHeader | undefined;
    readonly engine: Pick<ConsensusEngine, "hashHeader">;
  },
): readonly string[] {
  const { number, parent, engine } = on;
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
