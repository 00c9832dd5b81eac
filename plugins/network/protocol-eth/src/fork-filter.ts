import type { Hash } from "@plinth/core";
import { type ForkId, type ForkPoints, forkHashAt } from "@plinth/core/rules";

interface Point {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/**
 * Why a peer with this fork id cannot follow the same chain (EIP-2124); `undefined` if it can.
 *
 * A chain whose rules never change accepts every fork id, as in Besu: the genesis hash decides.
 */
export function forkMismatch(
  remote: ForkId,
  chain: { readonly genesisHash: Hash; readonly points: ForkPoints; readonly head: Point },
): string | undefined {
  const { points, genesisHash, head } = chain;
  const passages = listPassages(genesisHash, points);
  if (passages.length === 1) return undefined;
  const current = passages.findLastIndex(({ isPassed }) => isPassed(head));
  const index = passages.findIndex(({ hash }) => hash === remote.hash);
  if (index === -1) return `its fork hash ${remote.hash} is not one of this chain's`;
  // The peer is ahead, or behind and aware of the next fork.
  if (index > current) return undefined;
  if (index < current) {
    const next = passages[index + 1]?.fork;
    if (remote.next === next) return undefined;
    return `it is behind the fork at ${next} and expects the next one at ${remote.next}`;
  }
  const hasPassed =
    remote.next > 0n && (remote.next <= head.number || isPassedTime(remote.next, points, head));
  return hasPassed
    ? `it expects a fork at ${remote.next}, which this chain did not have`
    : undefined;
}

interface Passage {
  /** The block or time from which this fork hash is in force. */
  readonly fork: bigint;
  readonly hash: string;
  isPassed(point: Point): boolean;
}

/** The fork hashes of a chain in order, starting with genesis. */
function listPassages(genesisHash: Hash, { blocks, times }: ForkPoints): readonly Passage[] {
  const before = { number: 0n, timestamp: 0n };
  const last = blocks.at(-1) ?? 0n;
  const hashAt = (point: Point) => forkHashAt(genesisHash, { blocks, times }, point);
  return [
    { fork: 0n, hash: hashAt(before), isPassed: () => true },
    ...blocks.map((block) => ({
      fork: block,
      hash: hashAt({ number: block, timestamp: 0n }),
      isPassed: ({ number }: Point) => number >= block,
    })),
    ...times.map((time) => ({
      fork: time,
      hash: hashAt({ number: last, timestamp: time }),
      isPassed: ({ number, timestamp }: Point) => number >= last && timestamp >= time,
    })),
  ];
}

/** Forks by time come after all forks by number; a small number cannot be a future time. */
function isPassedTime(next: bigint, { blocks }: ForkPoints, head: Point): boolean {
  const areBlocksPassed = blocks.every((block) => block <= head.number);
  return areBlocksPassed && next <= head.timestamp;
}
