import {
  type Block,
  type Body,
  EMPTY_ROOT,
  InvalidBlock,
  NO_UNCLES_HASH,
  type SealedHeader,
  verifyBody,
} from "@plinth/core";
import { type EthPeer, RequestFailed } from "@plinth/plugin-protocol-eth/api";

/** Besu serves as many at a time. */
const BODIES_AT_ONCE = 128;

/** Fetches the bodies of headers from a peer; answers the blocks in the order of the headers. */
export async function fetchBodies(
  peer: EthPeer,
  headers: readonly SealedHeader[],
): Promise<readonly Block[]> {
  const bodies = new Map<SealedHeader, Body>();
  for (const header of headers) {
    const body = emptyBodyOf(header);
    if (body !== undefined) bodies.set(header, body);
  }
  for (;;) {
    const missing = headers.filter((header) => !bodies.has(header)).slice(0, BODIES_AT_ONCE);
    if (missing.length === 0) break;
    const answer = await peer.requestBodies(missing.map(({ hash }) => hash));
    if (!assign(answer, missing, bodies)) {
      peer.peer.report({ outcome: "useless", request: "GetBlockBodies" });
      throw new RequestFailed(`the peer has no right body for block ${missing[0]?.number}`);
    }
  }
  return headers.map((header) => ({ header, body: bodies.get(header) as Body }));
}

/** Gives each body to the header that commits to it; false when one fits none, or there is none. */
function assign(
  answer: readonly Body[],
  headers: readonly SealedHeader[],
  bodies: Map<SealedHeader, Body>,
): boolean {
  let next = 0;
  for (const body of answer) {
    while (next < headers.length && !fits(headers[next] as SealedHeader, body)) next += 1;
    const header = headers[next];
    if (header === undefined) return false;
    bodies.set(header, body);
    next += 1;
  }
  return answer.length > 0;
}

function fits(header: SealedHeader, body: Body): boolean {
  try {
    verifyBody({ header, body });
    return true;
  } catch (error) {
    if (error instanceof InvalidBlock) return false;
    throw error;
  }
}

/** The body of a header that has nothing in it. */
function emptyBodyOf(header: SealedHeader): Body | undefined {
  const { transactionsRoot, withdrawalsRoot } = header;
  const hasWithdrawals = withdrawalsRoot !== undefined && withdrawalsRoot !== EMPTY_ROOT;
  if (transactionsRoot !== EMPTY_ROOT || header.unclesHash !== NO_UNCLES_HASH || hasWithdrawals) {
    return undefined;
  }
  const empty = { transactions: [], uncles: [] };
  return withdrawalsRoot === undefined ? empty : { ...empty, withdrawals: [] };
}
