import { type Clock, ConfigError, type Logger, messageOf } from "@plinth/core";
import { type ChainJoin, JoinRefused, type JoinTarget } from "@plinth/core/chain";
import type { ForkRecord } from "../fork-record.js";
import { RemoteInconsistent } from "../remote/errors.js";
import { findRemoteBlock, readHeader } from "../remote/read-chain.js";
import type { Remote } from "../remote/remote.js";
import { CloneProgress } from "./clone-progress.js";
import { offerClone } from "./offer-clone.js";
import { STATE_PARTS } from "./state-reader.js";

/** The inputs of a clone. */
export interface CloneSettings {
  readonly remote: Remote;
  readonly limitGib: number;
  readonly log: Logger;
  readonly clock: Pick<Clock, "now">;
  /** The block to clone. */
  getRecord(): ForkRecord;
  /** Called before anything is written. */
  begin(): Promise<void>;
}

/** Fills an empty database with the state of a block of another network. */
export class CloneJoin implements ChainJoin {
  readonly #settings: CloneSettings;

  constructor(settings: CloneSettings) {
    this.#settings = settings;
  }

  found(): void {
    const { log } = this.#settings;
    const { source, number } = this.#settings.getRecord();
    log.info(`The chain in this folder is a fork of ${source} at block ${number}, and continues`);
  }

  async join(target: JoinTarget): Promise<void> {
    const { remote, log, clock } = this.#settings;
    const { number, hash } = this.#settings.getRecord();
    const startedAt = clock.now();
    log.info(`Forking ${remote.name} at block ${number} (${hash})`);
    await this.#verifyBlock(target.signal);
    const header = await readHeader(remote, { number, hash }, target.signal);
    const { limitGib } = this.#settings;
    const progress = new CloneProgress({ log, clock, limitGib, option: "--fork-clone-limit" });
    const onPart = (part: number) =>
      log.debug(
        `reading part ${part} of ${STATE_PARTS} of the state: ${progress.describe()} so far`,
      );
    const offered = await offerClone(
      { remote, header, progress, option: "--fork-url", onPart },
      target,
    );
    await this.#settings.begin();
    try {
      await target.join(offered);
    } catch (error) {
      if (!(error instanceof JoinRefused)) throw error;
      throw new RemoteInconsistent(
        remote.name,
        `the state that it delivers for block ${number} (${hash}) is not the one that the block commits to: ${messageOf(error)}. What was written is removed`,
        error,
      );
    }
    const seconds = ((clock.now() - startedAt) / 1000).toFixed(1);
    log.info(
      `Forked ${remote.name} at block ${number}: ${progress.describe()} in ${seconds} s, with the state root of the block. From here on the chain does not need the node, except for older blocks`,
    );
  }

  /** The chain may have been replaced since an interrupted start. */
  async #verifyBlock(signal: AbortSignal): Promise<void> {
    const { remote } = this.#settings;
    const { number, hash } = this.#settings.getRecord();
    const block = await findRemoteBlock(remote, number, signal);
    if (block?.hash === hash) return;
    throw new ConfigError("FORK_INCONSISTENT", {
      message: `${remote.name}: its block ${number} is ${block?.hash}, but the fork begins at ${hash}: it is of another network, or the block was replaced. --fresh forks it again`,
      option: "fork-url",
    });
  }
}
