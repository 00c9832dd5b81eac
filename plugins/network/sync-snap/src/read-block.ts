import { verifyJoinedBlock } from "@plinth/chain";
import { PeerError, type SealedHeader } from "@plinth/core";
import { type JoinedBlock, JoinRefused } from "@plinth/core/chain";
import type { EthPeer } from "@plinth/plugin-protocol-eth/api";

/** Requests a block of a peer; `undefined` if it does not have it. Throws `PeerError` if it is another one. */
export async function requestBlock(
  peer: EthPeer,
  header: SealedHeader,
): Promise<JoinedBlock | undefined> {
  const [[body], [receipts]] = await Promise.all([
    peer.requestBodies([header.hash]),
    peer.requestReceipts([header.hash]),
  ]);
  if (body === undefined || receipts === undefined) return undefined;
  const block = { body, receipts };
  try {
    await verifyJoinedBlock(header, block);
  } catch (error) {
    if (!(error instanceof JoinRefused)) throw error;
    throw new PeerError("breach-of-protocol", error.message, error);
  }
  return block;
}
