import { type EthPeer, type EthPeers, RequestFailed } from "@plinth/plugin-protocol-eth/api";

const MAX_ATTEMPTS = 5;

/**
 * Asks peers that have a block, the least busy first, until one answers.
 *
 * Each is asked once; the one to synchronize with is asked last of those that are as busy.
 */
export async function askAnyPeer<T>(
  peers: EthPeers,
  wanted: { readonly height: bigint; readonly target: EthPeer },
  ask: (peer: EthPeer) => Promise<T>,
): Promise<T> {
  const asked = new Set<EthPeer>();
  for (let attempt = 1; ; attempt++) {
    const peer = leastBusy(peers, wanted, asked);
    if (peer === undefined) throw new RequestFailed(`no peer has block ${wanted.height}`);
    asked.add(peer);
    try {
      return await ask(peer);
    } catch (error) {
      if (!(error instanceof RequestFailed) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function leastBusy(
  peers: EthPeers,
  { height, target }: { readonly height: bigint; readonly target: EthPeer },
  asked: ReadonlySet<EthPeer>,
): EthPeer | undefined {
  const able = peers
    .all()
    .filter((peer) => !asked.has(peer) && (peer === target || (peer.head?.number ?? 0n) >= height));
  return able.sort((a, b) => a.requests.size - b.requests.size)[0];
}
