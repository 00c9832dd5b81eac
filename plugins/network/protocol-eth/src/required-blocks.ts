import { type Hash, PeerError } from "@plinth/core";
import type { EthPeer } from "./eth-peer.js";

/**
 * Throws when a peer has another block at a number than the operator requires.
 *
 * A peer that does not have the number may still be synchronizing, and stays.
 */
export async function verifyRequiredBlocks(
  peer: Pick<EthPeer, "requestHeaders">,
  required: ReadonlyMap<bigint, Hash>,
): Promise<void> {
  for (const [number, hash] of required) {
    const request = { start: number, limit: 1n, skip: 0n, reverse: false };
    const [header] = await peer.requestHeaders(request);
    if (header === undefined || header.hash === hash) continue;
    throw new PeerError(
      "useless-peer",
      `it has ${header.hash} as block ${number}, and --required-blocks asks for ${hash}`,
    );
  }
}
