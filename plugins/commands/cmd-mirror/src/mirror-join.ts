import { type Clock, ConfigError, type Logger, messageOf } from "@plinth/core";
import { type ChainJoin, JoinRefused, type JoinTarget } from "@plinth/core/chain";
import {
  CloneProgress,
  CloneRefused,
  findRemoteBlock,
  offerClone,
  type Remote,
  RemoteInconsistent,
  RemoteRefusal,
  readHeader,
} from "@plinth/plugin-dev-fork/api";

/** The inputs of a start at a later block. */
export interface MirrorJoinSettings {
  readonly remote: Remote;
  /** The first block to execute; `undefined` for the one after the head, or block 1. */
  readonly first: bigint | "latest" | undefined;
  readonly limitGib: number;
  readonly log: Logger;
  readonly clock: Pick<Clock, "now">;
}

const OPTION = "--from-block";

/** Fills an empty database with the state before the first block to execute. */
export class MirrorJoin implements ChainJoin {
  readonly #settings: MirrorJoinSettings;
  /** Whether the headers between block 0 and the first one that is here are missing. */
  isJoined = false;

  constructor(settings: MirrorJoinSettings) {
    this.#settings = settings;
  }

  found({ head, joinedAt }: Parameters<ChainJoin["found"]>[0]): void {
    const { first } = this.#settings;
    this.isJoined = joinedAt !== undefined;
    const next = head.number + 1n;
    if (first === undefined || first === "latest" || first === next) return;
    throw new ConfigError("OPTION_INVALID", {
      message: `${OPTION}=${first}: the chain in the folder continues with block ${next}; omit the option, or name another --data-path`,
      option: "from-block",
    });
  }

  async join(target: JoinTarget): Promise<void> {
    const { remote, first, limitGib, log, clock } = this.#settings;
    if (first === undefined || first === 1n) return;
    if (first === 0n) throw this.#refused("block 0 is that of the genesis file");
    const { signal } = target;
    const wanted = first === "latest" ? undefined : first - 1n;
    const block = await findRemoteBlock(remote, wanted, signal);
    if (block === undefined) throw this.#refused(`${remote.name} has no block ${wanted}`);
    // Block 0 is that of the genesis file, of which the state is known.
    if (block.number === 0n) return;
    const progress = new CloneProgress({ log, clock, limitGib, option: "--clone-limit" });
    try {
      const header = await readHeader(remote, block, signal);
      const onPart = (part: number) =>
        log.debug(`reading part ${part} of the state: ${progress.describe()} so far`);
      const offered = await offerClone(
        { remote, header, progress, option: OPTION, onPart },
        target,
      );
      await target.join({ ...offered, supersedes: true });
    } catch (error) {
      throw this.#explain(error, block.number);
    }
    this.isJoined = true;
    log.info(`Read the state of block ${block.number} (${block.hash}): ${progress.describe()}`);
  }

  #explain(error: unknown, number: bigint): unknown {
    const { remote } = this.#settings;
    if (error instanceof CloneRefused || error instanceof RemoteRefusal) {
      return this.#refused(
        `the state of block ${number} cannot be read: ${messageOf(error)}. Without ${OPTION} the blocks are executed from block 1 on, which requires the API ETH alone`,
      );
    }
    if (!(error instanceof JoinRefused)) return error;
    return new RemoteInconsistent(
      remote.name,
      `the state that it delivers for block ${number} is not the one that the block commits to: ${messageOf(error)}`,
      error,
    );
  }

  #refused(problem: string): ConfigError {
    const message = `${OPTION}: ${problem}`;
    return new ConfigError("FORK_REFUSED", { message, option: "from-block" });
  }
}
