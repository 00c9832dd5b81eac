import type { BlockReader } from "@plinth/core";
import type { NodeId } from "@plinth/core/network";
import type { EthPeer } from "@plinth/plugin-protocol-eth/api";

/** A peer's branch of unknown weight may be this much shorter, and still be the heavier one. */
const MAX_SHORTER = 16n;

/** Experience with peers that were followed before. */
export interface Experience {
  isAvoided(id: NodeId): boolean;
  /** How often in a row the peer did not deliver what it claimed to have. */
  failures(id: NodeId): number;
}

/**
 * The peer to sync from, of those with a block that this node lacks; `undefined` if there is none.
 *
 * That is the heaviest of those that failed least often: a claim costs nothing, and otherwise several peers with large
 * claims could alternate forever. A head of the same weight counts: only the engine can decide which of the two is
 * better, once it has both.
 */
export function chooseTarget(
  peers: readonly EthPeer[],
  blocks: BlockReader,
  { isAvoided, failures }: Experience,
): EthPeer | undefined {
  const better = peers.filter((peer) => !isAvoided(peer.id) && isBetter(peer, blocks));
  const isPreferred = (peer: EthPeer, best: EthPeer) => {
    const fewer = failures(best.id) - failures(peer.id);
    return fewer === 0 ? compare(peer, best) > 0 : fewer > 0;
  };
  return better.reduce<EthPeer | undefined>(
    (best, peer) => (best === undefined || isPreferred(peer, best) ? peer : best),
    undefined,
  );
}

function isBetter({ head }: EthPeer, blocks: BlockReader): boolean {
  if (head?.number === undefined) return false;
  const own = blocks.head();
  const ownDifficulty = blocks.findTotalDifficulty(own.hash) ?? 0n;
  const { totalDifficulty } = head;
  // A known branch can be heavier than the chain only if the head was moved back.
  if (blocks.findHeader(head.hash) !== undefined) {
    return (blocks.findTotalDifficulty(head.hash) ?? 0n) > ownDifficulty;
  }
  return totalDifficulty === undefined
    ? head.number + MAX_SHORTER >= own.number
    : totalDifficulty >= ownDifficulty;
}

/** By total difficulty if both report it, then by height. */
function compare({ head: a }: EthPeer, { head: b }: EthPeer): number {
  if (a?.totalDifficulty !== undefined && b?.totalDifficulty !== undefined) {
    if (a.totalDifficulty !== b.totalDifficulty) {
      return a.totalDifficulty > b.totalDifficulty ? 1 : -1;
    }
  }
  return Number((a?.number ?? 0n) - (b?.number ?? 0n));
}
