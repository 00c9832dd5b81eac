import { type Hash, PeerError } from "@plinth/core";
import type { EthPeer } from "./eth-peer.js";

/**
 * Throws if a peer has a block at a number that differs from the required one.
 *
 * A peer that does not have the number may still be syncing, and stays.
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
      `it has ${header.hash} as block ${number}, but --required-blocks demands ${hash}`,
    );
  }
}
