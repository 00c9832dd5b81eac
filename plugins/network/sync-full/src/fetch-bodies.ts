import {
  type Block,
  type Body,
  type Clock,
  EMPTY_ROOT,
  PeerError,
  type SealedHeader,
  Yielder,
} from "@plinth/core";
import { type BodyRoots, bodyRootsInTurns, NO_UNCLES_HASH } from "@plinth/core/blocks";
import { type EthPeer, RequestFailed } from "@plinth/plugin-protocol-eth/api";

/** The limit of a Besu server. */
const BODIES_AT_ONCE = 128;
/** Size at which no more bodies are requested. */
const MAX_BATCH_BYTES = 8 * 2 ** 20;
/**
 * Fewer bytes do not count as progress: otherwise a peer could send one body at a time, each just
 * before the timeout.
 */
const PROGRESS_BYTES = 256 * 1024;
/**
 * After this time, received bodies are imported before more are requested: only importing shows the
 * value of the chain.
 */
const ENOUGH_MS = 5_000;

/** Fetched blocks, in the order of their headers. */
export interface FetchedBlocks {
  readonly blocks: readonly Block[];
  readonly bytes: number;
  /** Headers whose bodies are still missing because the size or time limit was reached. */
  readonly rest: readonly SealedHeader[];
}

/** A peer does not have the body of a block: nodes may remove old ones. */
export class BodyMissing extends RequestFailed {
  readonly number: bigint;

  constructor(number: bigint) {
    super(`the peer has no body for block ${number}`);
    this.number = number;
  }
}

/**
 * Fetches the bodies of headers from a peer, up to a size; calls `progressed` when a substantial part has arrived.
 *
 * Rejects with `BodyMissing` if the peer does not have them, with `PeerError` if a body matches no header.
 */
export async function fetchBodies(
  peer: EthPeer,
  headers: readonly SealedHeader[],
  { clock, progressed }: { readonly clock: Clock; readonly progressed: () => void },
): Promise<FetchedBlocks> {
  const end = clock.now() + ENOUGH_MS;
  const bodies = new Map<SealedHeader, Body>();
  for (const header of headers) {
    const body = emptyBodyOf(header);
    if (body !== undefined) bodies.set(header, body);
  }
  let bytes = 0;
  do {
    const missing = headers.filter((header) => !bodies.has(header)).slice(0, BODIES_AT_ONCE);
    if (missing.length === 0) break;
    const answer = await peer.requestBodies(missing.map(({ hash }) => hash));
    await assign(answer, missing, bodies);
    if (missing[0] !== undefined && !bodies.has(missing[0])) {
      throw new BodyMissing(missing[0].number);
    }
    const size = answer.reduce((sum, body) => sum + sizeOf(body), 0);
    if (size >= PROGRESS_BYTES) progressed();
    bytes += size;
  } while (bytes < MAX_BATCH_BYTES && clock.now() < end);
  const missing = headers.findIndex((header) => !bodies.has(header));
  const complete = missing === -1 ? headers : headers.slice(0, missing);
  return {
    blocks: complete.map((header) => ({ header, body: bodies.get(header) as Body })),
    bytes,
    rest: missing === -1 ? [] : headers.slice(missing),
  };
}

/** Assigns each body to the header that commits to it. An honest peer sends no other bodies. */
async function assign(
  answer: readonly Body[],
  headers: readonly SealedHeader[],
  bodies: Map<SealedHeader, Body>,
): Promise<void> {
  const turns = new Yielder();
  let next = 0;
  for (const body of answer) {
    const roots = await bodyRootsInTurns(body);
    const found = headers.findIndex((header, index) => index >= next && fits(header, roots));
    const header = headers[found];
    if (header === undefined) {
      throw new PeerError("breach-of-protocol", "a body matches no requested block");
    }
    bodies.set(header, body);
    next = found + 1;
    await turns.yield();
  }
}

function fits(header: SealedHeader, { transactions, uncles, withdrawals }: BodyRoots): boolean {
  return (
    header.transactionsRoot === transactions &&
    header.unclesHash === uncles &&
    header.withdrawalsRoot === withdrawals
  );
}

function sizeOf({ transactions, uncles }: Body): number {
  const uncleBytes = 600;
  return transactions.reduce((sum, { raw }) => sum + raw.length, uncles.length * uncleBytes);
}

/** The body of a header that commits to an empty one. */
function emptyBodyOf(header: SealedHeader): Body | undefined {
  const hasWithdrawals =
    header.withdrawalsRoot !== undefined && header.withdrawalsRoot !== EMPTY_ROOT;
  const isEmpty =
    header.transactionsRoot === EMPTY_ROOT &&
    header.unclesHash === NO_UNCLES_HASH &&
    !hasWithdrawals;
  if (!isEmpty) return undefined;
  const empty = { transactions: [], uncles: [] };
  return header.withdrawalsRoot === undefined ? empty : { ...empty, withdrawals: [] };
}
