import { InvalidBlock, PeerError, type SealedHeader } from "@plinth/core";
import { receiptsRoot } from "@plinth/core/blocks";
import type { JoinedBlock } from "@plinth/core/chain";
import { verifyBodyInTurns } from "@plinth/core/rules";
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
  try {
    await verifyBodyInTurns({ header, body });
  } catch (error) {
    if (!(error instanceof InvalidBlock)) throw error;
    throw new PeerError("breach-of-protocol", error.message, error);
  }
  const root = receiptsRoot(receipts);
  if (root === header.receiptsRoot) return { body, receipts };
  throw new PeerError(
    "breach-of-protocol",
    `block ${header.number}: its receipts have the root ${root}, expected ${header.receiptsRoot}`,
  );
}
