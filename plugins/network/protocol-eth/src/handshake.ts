import { type Clock, type Hash, PeerError, type SealedHeader } from "@plinth/core";
import { type ForkPoints, forkIdAt } from "@plinth/core/rules";
import type { Status } from "./codec/status.js";
import type { EthPeer } from "./eth-peer.js";
import { forkMismatch } from "./fork-filter.js";

/** Timeout of a peer's status. */
const STATUS_TIMEOUT_MS = 10_000;
/** From this version on, a status has the number of the head. */
const FIRST_RANGED = 69;

/** The chain of this node as its status shows it. */
export interface ChainIdentity {
  readonly networkId: bigint;
  readonly genesisHash: Hash;
  readonly points: ForkPoints;
  readonly head: Pick<SealedHeader, "number" | "timestamp" | "hash">;
  readonly totalDifficulty: bigint;
  /** The first block that is served. */
  readonly earliest: bigint;
}

/** Calls back if no status arrives in time; the returned function ends the wait. */
export function awaitStatus(clock: Clock, failed: (error: PeerError) => void): () => void {
  return clock.after(STATUS_TIMEOUT_MS, () =>
    failed(new PeerError("timeout", "no status within 10 seconds")),
  );
}

/** The status of this node. */
export function createStatus(version: number, own: ChainIdentity): Status {
  const { networkId, genesisHash, points, head, totalDifficulty, earliest } = own;
  return {
    version,
    networkId,
    genesisHash,
    forkId: forkIdAt(genesisHash, points, head),
    headHash: head.hash,
    totalDifficulty,
    range: { earliest, latest: head.number },
  };
}

/** Throws unless a peer is on the same chain; in Besu's order, so that the same fault is reported. */
export function verifyStatus(status: Status, version: number, own: ChainIdentity): void {
  const refuse = (problem: string) => new PeerError("subprotocol-error", problem);
  const { networkId, genesisHash } = own;
  if (status.networkId !== networkId) {
    throw refuse(`its network id is ${status.networkId}, this one's ${networkId}`);
  }
  const mismatch = forkMismatch(status.forkId, own);
  if (mismatch !== undefined) throw refuse(mismatch);
  if (status.genesisHash !== genesisHash) {
    throw refuse(`its genesis block is ${status.genesisHash}, this one's ${genesisHash}`);
  }
  if (status.version !== version) {
    throw refuse(`its status has version ${status.version}, negotiated was ${version}`);
  }
}

/**
 * A peer counts once it can show the head it announced, as Besu demands; `undefined` if its status
 * has the number of the head.
 */
export function verifyHead(peer: EthPeer, status: Status): Promise<void> | undefined {
  return peer.version >= FIRST_RANGED ? undefined : requestHead(peer, status);
}

async function requestHead(peer: EthPeer, { headHash, totalDifficulty }: Status): Promise<void> {
  const request = { start: headHash, limit: 1n, skip: 0n, reverse: false };
  try {
    const [header] = await peer.requestHeaders(request);
    if (header !== undefined) {
      peer.hasBlock({ hash: headHash, number: header.number, totalDifficulty });
      return;
    }
  } catch (cause) {
    throw new PeerError("useless-peer", "it does not show the head that it announced", cause);
  }
  throw new PeerError("useless-peer", "it does not have the head that it announced");
}
