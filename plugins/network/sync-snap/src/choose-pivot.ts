import { PeerError, type SealedHeader } from "@plinth/core";
import type { Finality } from "@plinth/core/consensus";
import { RequestFailed } from "@plinth/plugin-protocol-eth/api";
import type { JoiningPeer, JoiningPeers } from "./joining-peers.js";

/**
 * Blocks between the chosen one and the head of the peer that has it. Peers keep the states of 128
 * blocks. Blocks that may be replaced are proven by those that follow: by twice as many as there are signers.
 */
export const DISTANCES: Readonly<Record<Finality, bigint>> = { instant: 16n, eventual: 64n };
/** A peer with a longer or a more recent chain may connect for this long after the first ones. */
const GRACE_MS = 30_000;
/** A chain whose chosen block is older may be that of a peer that lags behind. */
const MAX_AGE_MS = 3_600_000;

/** The block at which a node joins. */
export interface Pivot {
  readonly header: SealedHeader;
  /** The peer that named it; undefined if another start has chosen it. */
  readonly peer: JoiningPeer | undefined;
  /** Number of headers after it that its proof needs. */
  readonly laterHeaders: bigint;
}

/** What a block is chosen by. */
export interface PivotSettings {
  readonly peers: JoiningPeers;
  readonly minPeers: number;
  /** Number of blocks between the chosen one and the head. */
  readonly distance: bigint;
  /** The lowest block that may be chosen. */
  readonly lowest: bigint;
  /** Whether every block is executed if the peers have a short chain. */
  readonly mayBeShort: boolean;
  now(): number;
}

/**
 * Waits for peers, and chooses a recent block of the one with the highest head; `undefined` if the
 * chain is so short that all of it can be executed.
 */
export async function choosePivot(
  settings: PivotSettings,
): Promise<Pick<Pivot, "header" | "peer"> | undefined> {
  const { peers, minPeers, distance, lowest, mayBeShort, now } = settings;
  let decideAt: number | undefined;
  for (;;) {
    const known = peers.all();
    const [best] = known.toSorted((a, b) => orderOf(a, b, peers));
    // Those that turned out to lie were chosen from as well; others need not replace them.
    if (best === undefined || known.length + peers.dismissed < minPeers) {
      await peers.wait(`${known.length} of ${minPeers} peers are connected (--sync-min-peers)`);
      continue;
    }
    decideAt ??= now() + GRACE_MS;
    const isOver = now() >= decideAt;
    const number = headOf(best) - distance;
    if (number < lowest) {
      if (mayBeShort && isOver) return undefined;
      await peers.wait(
        `the peers have blocks up to ${headOf(best)}, and join at block ${lowest} once it is ${distance} blocks old`,
      );
      continue;
    }
    const header = await requestHeader(best, number, peers);
    if (header === undefined) await peers.wait(`peer ${best.id} does not send block ${number}`);
    else if (isOver || isRecent(header, now())) return { header, peer: best };
    else await peers.wait(`block ${number} is old, a peer with later blocks may connect`);
  }
}

/** The header of an interrupted start; throws `PivotGone` if no peer has it. */
export function findPivot(
  { number, hash }: Pick<SealedHeader, "number" | "hash">,
  { peers }: Pick<PivotSettings, "peers">,
): Promise<SealedHeader> {
  return peers.ask({
    what: `block ${number} (${hash})`,
    isAble: () => true,
    ask: async ({ eth }) => {
      const request = { start: hash, limit: 1n, skip: 0n, reverse: false };
      return (await eth.requestHeaders(request))[0];
    },
  });
}

/** The number of the best block of a peer. */
export function headOf({ eth }: JoiningPeer): bigint {
  return eth.head?.number ?? 0n;
}

/** The highest head first; peers that left a join unfinished come last. */
function orderOf(a: JoiningPeer, b: JoiningPeer, peers: JoiningPeers): number {
  const [isLast, isOtherLast] = [peers.isDistrusted(a), peers.isDistrusted(b)];
  if (isLast !== isOtherLast) return isLast ? 1 : -1;
  return Number(headOf(b) - headOf(a));
}

function isRecent({ timestamp }: SealedHeader, now: number): boolean {
  return Number(timestamp) * 1000 >= now - MAX_AGE_MS;
}

/** `undefined` if the peer does not deliver it. */
async function requestHeader(
  peer: JoiningPeer,
  number: bigint,
  peers: JoiningPeers,
): Promise<SealedHeader | undefined> {
  try {
    const request = { start: number, limit: 1n, skip: 0n, reverse: false };
    const [header] = await peer.eth.requestHeaders(request);
    if (header !== undefined) return header;
    peers.dismiss(peer, new PeerError("useless-peer", `it does not show block ${number}`));
  } catch (error) {
    if (error instanceof PeerError) peers.dismiss(peer, error);
    else if (error instanceof RequestFailed) peers.distrust(peer);
    else throw error;
  }
  return undefined;
}
