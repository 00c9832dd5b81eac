import { ConfigError, InvalidBlock, type Logger, messageOf, PeerError } from "@plinth/core";
import {
  type ChainJoin,
  JoinRefused,
  type JoinTarget,
  type OfferedChain,
  type RequiredBlock,
  TooFewHeaders,
} from "@plinth/core/chain";
import { readCheckpoint } from "./checkpoint.js";
import { choosePivot, DISTANCES, findPivot, headOf, type Pivot } from "./choose-pivot.js";
import { HeaderParts, PART_HEADERS } from "./header-parts.js";
import { JoinProgress } from "./join-progress.js";
import { JoiningPeers } from "./joining-peers.js";
import type { OtherOptions } from "./other-options.js";
import { PivotGone } from "./pivot-gone.js";
import { requestBlock } from "./read-block.js";
import { STATE_PARTS, StateReader } from "./state/state-reader.js";

/** Number of proven blocks that are chosen one after another before the start fails. */
const MAX_PIVOTS = 10;
/** The largest number of blocks between the chosen one and the head: peers keep the states of 128. */
const MAX_DISTANCE = 112n;
const OPTION = "--sync-mode=SNAP";

/** The operator's settings. */
export interface SnapJoinSettings extends OtherOptions {
  readonly mode: "SNAP" | "CHECKPOINT";
  readonly minPeers: number;
  readonly log: Logger;
}

/** What one start joins with. */
interface JoinAttempt {
  readonly target: JoinTarget;
  readonly peers: JoiningPeers;
  readonly checkpoint: RequiredBlock | undefined;
  /** Number of blocks between the chosen one and the head. */
  distance: bigint;
}

/** Why a chain was not joined at a block. */
interface Failure {
  readonly error: PivotGone | JoinRefused;
  /** Whether the headers have proven the block. */
  readonly isProven: boolean;
}

/** Joins a chain by headers and the state of a recent block, read from peers. */
export class SnapJoin implements ChainJoin {
  readonly #settings: SnapJoinSettings;
  #hasJoined = false;

  constructor(settings: SnapJoinSettings) {
    this.#settings = settings;
  }

  /** Whether the chain was joined at a later block than the first, now or earlier. */
  get hasJoined(): boolean {
    return this.#hasJoined;
  }

  found({ joinedAt }: Parameters<ChainJoin["found"]>[0]): void {
    if (joinedAt === undefined) return;
    this.#hasJoined = true;
    this.#settings.log.info(`The node has joined its chain at block ${joinedAt} before`);
  }

  async join(target: JoinTarget): Promise<void> {
    const { mode, log } = this.#settings;
    verifyInterrupted(target, mode);
    const obstacle = this.#settings.obstacle ?? target.obstacle;
    if (obstacle !== undefined) {
      log.warn(`--sync-mode=${mode} has no effect, every block is executed: ${obstacle}`);
      return;
    }
    const checkpoint = mode === "CHECKPOINT" ? readCheckpoint(target.genesis.json) : undefined;
    const peers = new JoiningPeers(target, log);
    await using network = await target.openNetwork(peers.protocols(target));
    if (network === undefined) {
      log.warn(`--sync-mode=${mode} has no effect: P2P is off, so there are no peers to read from`);
      return;
    }
    log.info(`Joining the chain by peers (--sync-mode=${mode})`);
    await this.#joinByPeers({ target, peers, checkpoint, distance: DISTANCES[target.finality] });
  }

  async #joinByPeers(attempt: JoinAttempt): Promise<void> {
    const { log } = this.#settings;
    /** The block that was given up. */
    let last: string | undefined;
    let reason = "";
    for (let count = 0; count < MAX_PIVOTS; ) {
      const pivot = await this.#choose(attempt, last);
      if (pivot === undefined) {
        log.info("The chain of the peers is short: every block is executed");
        return;
      }
      const { number, hash } = pivot.header;
      if (hash !== last) log.info(`Joining the chain at block ${number} (${hash})`);
      const failure = await this.#joinAt(pivot, attempt);
      if (failure === undefined) return;
      const { error, isProven } = failure;
      reason = messageOf(error);
      log.debug(`the chain cannot be joined at block ${number} (${hash}): ${reason}`);
      const isSilence = error instanceof PivotGone && error.isSilence;
      // Not counted: blocks that peers invent, and the same block while its state is still gone.
      if (isProven && !isSilence && (hash !== last || error instanceof JoinRefused)) count++;
      // Peers that do not respond may still have the state of a proven block.
      last = isProven && isSilence ? undefined : hash;
      if (error instanceof PivotGone) await attempt.peers.wait(reason);
    }
    throw incomplete(
      `the chain could not be joined at any of ${MAX_PIVOTS} blocks, the last one because ${reason}. Start the node again to continue, join by --snapshot, or execute every block with --sync-mode=FULL in an empty --data-path`,
    );
  }

  /** Joins the chain at a block; returns the reason if its peers do not have it, or do not prove it. */
  async #joinAt(pivot: Pivot, attempt: JoinAttempt): Promise<Failure | undefined> {
    const { log } = this.#settings;
    const { number } = pivot.header;
    const headers = this.#headersOf(pivot, attempt);
    const offered = this.#offer(pivot, headers, attempt);
    try {
      await attempt.target.join(offered);
      log.info(`The node has joined its chain at block ${number}`);
      this.#hasJoined = true;
      return undefined;
    } catch (error) {
      if (isByContract(error)) throw needsValidators(error);
      if (!(error instanceof PivotGone || error instanceof JoinRefused)) throw error;
      const { isProven } = offered;
      const missing = missingHeaders(error);
      if (missing > 0n) attempt.distance = largerDistance(attempt.distance + missing);
      else if (!isProven) blame(error, { pivot, headers, attempt });
      return { error, isProven };
    }
  }

  /** The block of an interrupted start if a peer still has it and its state, or a new one. */
  async #choose(
    { target, peers, checkpoint, distance }: JoinAttempt,
    last: string | undefined,
  ): Promise<Pivot | undefined> {
    const { clock, finality, interrupted } = target;
    const laterHeaders = finality === "instant" ? 0n : distance;
    const mayBeShort = interrupted === undefined && checkpoint === undefined;
    const lowest = checkpoint?.number ?? 1n;
    const settings = { peers, minPeers: this.#settings.minPeers, distance, lowest, mayBeShort };
    const found = await choosePivot({ ...settings, now: () => clock.now() });
    const chosen = found && { ...found, laterHeaders };
    const isUsable = interrupted !== undefined && interrupted.number >= lowest;
    if (!isUsable || interrupted.hash === last) return chosen;
    try {
      const header = await findPivot(interrupted, settings);
      return { header, peer: undefined, laterHeaders };
    } catch (error) {
      if (!(error instanceof PivotGone)) throw error;
      return chosen;
    }
  }

  #headersOf(pivot: Pivot, { target, peers }: JoinAttempt): HeaderParts {
    const genesisHash = target.genesis.header.hash;
    return new HeaderParts({ pivot, genesisHash, peers });
  }

  #offer(
    pivot: Pivot,
    headers: HeaderParts,
    { target, peers, checkpoint }: JoinAttempt,
  ): OfferedChain & { readonly isProven: boolean } {
    const { trustedValidators: validators, log } = this.#settings;
    const { chainId, clock } = target;
    const { header } = pivot;
    const progress = new JoinProgress({ log, clock });
    const state = new StateReader({
      ...{ pivot, peers },
      progressed: (piece, key) => progress.state(piece, key),
    });
    let isProven = false;
    return {
      get isProven() {
        return isProven;
      },
      chainId,
      genesisHash: target.genesis.header.hash,
      block: header,
      id: `snap/1 ${PART_HEADERS} ${STATE_PARTS}`,
      parts: { headers: headers.count, codes: 0, states: STATE_PARTS },
      option: OPTION,
      supersedes: true,
      trust: { validators },
      required: checkpoint,
      async readHeaders(part) {
        const read = await headers.read(part);
        progress.headers(read.at(-1)?.number ?? 0n, header.number);
        return read;
      },
      readCodes: async () => [],
      readStates(part) {
        isProven = true;
        return state.read(part);
      },
      readBlock() {
        isProven = true;
        return peers.ask({
          what: `the body and the receipts of block ${header.number}`,
          isAble: (peer) => headOf(peer) >= header.number,
          ask: ({ eth }) => requestBlock(eth, header),
        });
      },
    };
  }
}

/** Number of headers that a chain of many signers lacks to prove the chosen block; 0 for other errors. */
function missingHeaders({ cause }: PivotGone | JoinRefused): bigint {
  return cause instanceof TooFewHeaders ? cause.missing : 0n;
}

function largerDistance(distance: bigint): bigint {
  if (distance <= MAX_DISTANCE) return distance;
  throw incomplete(
    `the chain has so many signers that ${distance} headers after a block prove it, and peers have the states of 128 blocks. Join by --snapshot`,
  );
}

/** Dismisses or distrusts peers that have named a block, or sent headers, that prove nothing. */
function blame(
  error: PivotGone | JoinRefused,
  {
    pivot,
    headers,
    attempt: { peers },
  }: { readonly pivot: Pivot; readonly headers: HeaderParts; readonly attempt: JoinAttempt },
): void {
  const { peer } = pivot;
  if (error instanceof JoinRefused) {
    const fault = `its chain is not proven: ${error.message}`;
    for (const liar of headers.atFault()) {
      peers.dismiss(liar, new PeerError("useless-peer", fault, error));
    }
    if (peer !== undefined && !headers.isPastPivot) peers.distrust(peer);
  } else if (peer !== undefined) {
    const isLacking = !error.isSilence && peers.isHere(peer);
    if (isLacking)
      peers.dismiss(
        peer,
        new PeerError("useless-peer", `it named a block, but ${error.message}`, error),
      );
    else peers.distrust(peer);
  }
}

function incomplete(message: string, cause?: unknown): ConfigError {
  return new ConfigError("JOIN_INCOMPLETE", { message, option: "sync-mode", cause });
}

function verifyInterrupted({ interrupted }: JoinTarget, mode: string): void {
  if (interrupted === undefined || interrupted.option === OPTION) return;
  throw incomplete(
    `the database is incomplete: it was joining the chain at block ${interrupted.number} with ${interrupted.option}. Start the node with that option instead of --sync-mode=${mode} to continue, or remove the database to begin again`,
  );
}

/** Whether headers prove nothing because a contract determines the validators. */
function isByContract(error: unknown): error is JoinRefused {
  const cause = error instanceof JoinRefused ? error.cause : undefined;
  return cause instanceof InvalidBlock && cause.rule === "validator-contract";
}

function needsValidators(cause: JoinRefused): ConfigError {
  return new ConfigError("JOIN_INCOMPLETE", {
    message: `${cause.message} with --trusted-validators`,
    option: "trusted-validators",
    cause,
  });
}
