import { ConfigError, InvalidBlock, type Logger, messageOf, PeerError } from "@plinth/core";
import {
  type ChainJoin,
  JoinRefused,
  type JoinTarget,
  type OfferedChain,
} from "@plinth/core/chain";
import { type Checkpoint, readCheckpoint } from "./checkpoint.js";
import { choosePivot, findPivot, headOf, laterHeadersOf, type Pivot } from "./choose-pivot.js";
import { HeaderParts, PART_HEADERS } from "./header-parts.js";
import { JoinProgress } from "./join-progress.js";
import { JoiningPeers } from "./joining-peers.js";
import type { OtherOptions } from "./other-options.js";
import { PivotGone } from "./pivot-gone.js";
import { requestBlock } from "./read-block.js";
import { STATE_PARTS, StateReader } from "./state/state-reader.js";

/** Number of blocks that are chosen one after another before the start fails. */
const MAX_PIVOTS = 10;
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
  readonly checkpoint: Checkpoint | undefined;
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
    await this.#joinByPeers({ target, peers, checkpoint });
  }

  async #joinByPeers(attempt: JoinAttempt): Promise<void> {
    const { log } = this.#settings;
    let [reason, last]: (string | undefined)[] = [];
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
      reason = messageOf(failure);
      const isGone = failure instanceof PivotGone;
      // The same block again is no further attempt: a peer that has its state may connect.
      if (!isGone || hash !== last) count++;
      log.debug(`the chain cannot be joined at block ${number} (${hash}): ${reason}`);
      last = hash;
      if (isGone) await attempt.peers.wait(reason);
    }
    throw new ConfigError("JOIN_INCOMPLETE", {
      message: `the chain could not be joined at any of ${MAX_PIVOTS} blocks, the last one because ${reason}. Start the node again to continue, join by --snapshot, or execute every block with --sync-mode=FULL in an empty --data-path`,
      option: "sync-mode",
    });
  }

  /** Joins the chain at a block; returns the reason if its peers do not have it, or do not prove it. */
  async #joinAt(pivot: Pivot, attempt: JoinAttempt): Promise<PivotGone | JoinRefused | undefined> {
    const { log } = this.#settings;
    const { number } = pivot.header;
    const headers = this.#headersOf(pivot, attempt);
    try {
      await attempt.target.join(this.#offer(pivot, headers, attempt));
      log.info(`The node has joined its chain at block ${number}`);
      this.#hasJoined = true;
      return undefined;
    } catch (error) {
      if (isByContract(error)) throw needsValidators(error);
      if (error instanceof PivotGone) return error;
      if (!(error instanceof JoinRefused)) throw error;
      const fault = `its chain is not proven: ${error.message}`;
      for (const peer of headers.sources) {
        attempt.peers.dismiss(peer, new PeerError("useless-peer", fault, error));
      }
      return error;
    }
  }

  /** The block of an interrupted start if a peer still has it and its state, or a new one. */
  async #choose(
    { target, peers, checkpoint }: JoinAttempt,
    last: string | undefined,
  ): Promise<Pivot | undefined> {
    const { clock, finality, interrupted } = target;
    const settings = { peers, minPeers: this.#settings.minPeers, finality, checkpoint };
    const chosen = await choosePivot({ ...settings, now: () => clock.now() });
    if (interrupted === undefined || interrupted.hash === last) return chosen;
    try {
      const header = await findPivot(interrupted, settings);
      return { header, peer: undefined, laterHeaders: laterHeadersOf(finality) };
    } catch (error) {
      if (!(error instanceof PivotGone)) throw error;
      return chosen;
    }
  }

  #headersOf(pivot: Pivot, { target, peers, checkpoint }: JoinAttempt): HeaderParts {
    const genesisHash = target.genesis.header.hash;
    return new HeaderParts({ pivot, genesisHash, peers, checkpoint });
  }

  #offer(pivot: Pivot, headers: HeaderParts, { target, peers }: JoinAttempt): OfferedChain {
    const { trustedValidators: validators, log } = this.#settings;
    const { chainId, clock } = target;
    const { header } = pivot;
    const progress = new JoinProgress({ log, clock });
    const state = new StateReader({
      ...{ pivot, peers },
      progressed: (piece, key) => progress.state(piece, key),
    });
    return {
      chainId,
      genesisHash: target.genesis.header.hash,
      block: header,
      id: `snap/1 ${PART_HEADERS} ${STATE_PARTS}`,
      parts: { headers: headers.count, codes: 0, states: STATE_PARTS },
      option: OPTION,
      supersedes: true,
      trust: { validators },
      async readHeaders(part) {
        const read = await headers.read(part);
        progress.headers(read.at(-1)?.number ?? 0n, header.number);
        return read;
      },
      readCodes: async () => [],
      readStates: (part) => state.read(part),
      readBlock: () =>
        peers.ask({
          what: `the body and the receipts of block ${header.number}`,
          isAble: (peer) => headOf(peer) >= header.number,
          ask: ({ eth }) => requestBlock(eth, header),
        }),
    };
  }
}

function verifyInterrupted({ interrupted }: JoinTarget, mode: string): void {
  if (interrupted === undefined || interrupted.option === OPTION) return;
  throw new ConfigError("JOIN_INCOMPLETE", {
    message: `the database is incomplete: it was joining the chain at block ${interrupted.number} with ${interrupted.option}. Start the node with that option instead of --sync-mode=${mode} to continue, or remove the database to begin again`,
    option: "sync-mode",
  });
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
