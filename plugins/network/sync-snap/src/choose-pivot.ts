import { PeerError, type SealedHeader } from "@plinth/core";
import type { Finality } from "@plinth/core/consensus";
import { RequestFailed } from "@plinth/plugin-protocol-eth/api";
import type { Checkpoint } from "./checkpoint.js";
import type { JoiningPeer, JoiningPeers } from "./joining-peers.js";

/**
 * Blocks between the chosen one and the head of the peer that has it. Peers keep the states of 128
 * blocks. Blocks that may be replaced are proven by those that follow: by twice as many as there are signers.
 */
const DISTANCE: Readonly<Record<Finality, bigint>> = { instant: 16n, eventual: 64n };
/** Peers without blocks may be about to join the same chain; one with blocks may still connect. */
const GRACE_MS = 10_000;

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
  readonly finality: Finality;
  readonly checkpoint: Checkpoint | undefined;
  now(): number;
}

/** Number of headers after a block that are requested to prove it. */
export function laterHeadersOf(finality: Finality): bigint {
  return finality === "instant" ? 0n : DISTANCE[finality];
}

/**
 * Waits for peers, and chooses a recent block of the one with the highest head; `undefined` if the
 * chain is so short that all of it can be executed.
 */
export async function choosePivot(settings: PivotSettings): Promise<Pivot | undefined> {
  const { peers, minPeers, finality, checkpoint } = settings;
  const lowest = checkpoint?.number ?? 1n;
  const giveUp = settings.now() + GRACE_MS;
  for (;;) {
    const known = peers.all();
    const [best] = known.toSorted((a, b) => (headOf(a) < headOf(b) ? 1 : -1));
    const head = best === undefined ? 0n : headOf(best);
    const number = head - DISTANCE[finality];
    if (best === undefined || known.length < minPeers) {
      await peers.wait(`${known.length} of ${minPeers} peers are connected (--sync-min-peers)`);
    } else if (number >= lowest) {
      const header = await requestHeader(best, number, peers);
      if (header === undefined) continue;
      return { header, peer: best, laterHeaders: laterHeadersOf(finality) };
    } else if (checkpoint === undefined && (head > 0n || settings.now() >= giveUp)) {
      return undefined;
    } else {
      await peers.wait(
        `the peers have blocks up to ${head}, and join at block ${lowest} once it is ${DISTANCE[finality]} blocks old`,
      );
    }
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
    else if (error instanceof RequestFailed) {
      peers.dismiss(peer, new PeerError("useless-peer", error.message, error));
    } else throw error;
  }
  return undefined;
}
