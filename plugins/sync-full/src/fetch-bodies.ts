import {
  type Block,
  type Body,
  type BodyRoots,
  bodyRootsInTurns,
  EMPTY_ROOT,
  NO_UNCLES_HASH,
  type SealedHeader,
  Yielder,
} from "@plinth/core";
import { type EthPeer, RequestFailed } from "@plinth/plugin-protocol-eth/api";

/** Besu serves as many at a time. */
const BODIES_AT_ONCE = 128;
/** No more bodies are asked for when those that came have this size. */
const MAX_BATCH_BYTES = 8 * 2 ** 20;

/** Blocks that were fetched, in the order of their headers. */
export interface FetchedBlocks {
  readonly blocks: readonly Block[];
  readonly bytes: number;
  /** Headers whose bodies are still missing, because what came is large enough. */
  readonly rest: readonly SealedHeader[];
}

/** Fetches the bodies of headers from a peer, up to a size. */
export async function fetchBodies(
  peer: EthPeer,
  headers: readonly SealedHeader[],
): Promise<FetchedBlocks> {
  const bodies = new Map<SealedHeader, Body>();
  for (const header of headers) {
    const body = emptyBodyOf(header);
    if (body !== undefined) bodies.set(header, body);
  }
  let bytes = 0;
  while (bytes < MAX_BATCH_BYTES) {
    const missing = headers.filter((header) => !bodies.has(header)).slice(0, BODIES_AT_ONCE);
    if (missing.length === 0) break;
    const answer = await peer.requestBodies(missing.map(({ hash }) => hash));
    if (answer.length > missing.length || !(await assign(answer, missing, bodies))) {
      throw new RequestFailed(`the peer has no right body for block ${missing[0]?.number}`);
    }
    bytes += answer.reduce((sum, body) => sum + sizeOf(body), 0);
  }
  const end = headers.findIndex((header) => !bodies.has(header));
  const complete = end === -1 ? headers : headers.slice(0, end);
  return {
    blocks: complete.map((header) => ({ header, body: bodies.get(header) as Body })),
    bytes,
    rest: end === -1 ? [] : headers.slice(end),
  };
}

/** Gives each body to the header that commits to it; false when the first header gets none, or a body fits none. */
async function assign(
  answer: readonly Body[],
  headers: readonly SealedHeader[],
  bodies: Map<SealedHeader, Body>,
): Promise<boolean> {
  const turns = new Yielder();
  let next = 0;
  for (const body of answer) {
    const roots = await bodyRootsInTurns(body);
    const found = headers.findIndex((header, index) => index >= next && fits(header, roots));
    const header = headers[found];
    if (header === undefined) return false;
    bodies.set(header, body);
    next = found + 1;
    await turns.yield();
  }
  return headers[0] !== undefined && bodies.has(headers[0]);
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

/** The body of a header that has nothing in it. */
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
