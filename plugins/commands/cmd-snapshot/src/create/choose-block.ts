import type { ChainStore } from "@plinth/chain";
import { type ConsensusEngine, PlinthError, type SealedHeader, yieldToLoop } from "@plinth/core";

/** Number of headers that are proven between two turns of the event loop. */
const HEADERS_AT_ONCE = 1000;

/** The block of a snapshot, and the last header that its proof needs. */
export interface ChosenBlock {
  readonly header: SealedHeader;
  readonly lastHeader: bigint;
}

/** Chooses the last block that headers prove, unless the operator names one. */
export async function chooseBlock(
  chain: ChainStore,
  engine: ConsensusEngine,
  wanted: number | undefined,
): Promise<ChosenBlock> {
  if (engine.proveHeaders === undefined) {
    throw refused(
      "the headers of this chain do not prove its states: snapshots need IBFT 2.0, QBFT or Clique",
    );
  }
  const head = chain.findHead();
  if (head === undefined) throw refused("the database has no block yet");
  // Headers that are final at once carry the seals that prove them.
  const isFinal = engine.finality === "instant";
  const proven = isFinal ? head.number : await findProven(chain, engine, head.number);
  const number = BigInt(wanted ?? proven);
  if (number > proven) {
    const problem =
      number > head.number
        ? `the chain ends at block ${head.number}`
        : `headers prove the blocks up to ${proven}`;
    throw refused(`--block=${number}: ${problem}`);
  }
  return { header: getHeader(chain, number), lastHeader: isFinal ? number : head.number };
}

async function findProven(
  chain: ChainStore,
  engine: ConsensusEngine,
  last: bigint,
): Promise<bigint> {
  const proof = engine.proveHeaders?.(getHeader(chain, 0n), {});
  for (let number = 1n; number <= last; number++) {
    await proof?.add(getHeader(chain, number));
    if (number % BigInt(HEADERS_AT_ONCE) === 0n) await yieldToLoop();
  }
  return (await proof?.finish()) ?? 0n;
}

/** A header of the canonical chain. */
export function getHeader(chain: ChainStore, number: bigint): SealedHeader {
  const hash = chain.findHash(number);
  const header = hash && chain.findHeader(hash);
  if (header !== undefined) return header;
  throw refused(`the database has no block ${number}; \`db verify\` shows what is missing`);
}

function refused(message: string): PlinthError {
  return new PlinthError("SNAPSHOT_REFUSED", { message });
}
