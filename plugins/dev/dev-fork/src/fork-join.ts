import { type Clock, ConfigError, type Logger, messageOf, type SealedHeader } from "@plinth/core";
import { type ChainJoin, JoinRefused, type JoinTarget } from "@plinth/core/chain";
import { CloneProgress } from "./clone/clone-progress.js";
import { CloneRefused } from "./clone/clone-refused.js";
import { offerClone } from "./clone/offer-clone.js";
import { STATE_PARTS } from "./clone/state-reader.js";
import type { ForkRecord } from "./fork-record.js";
import { offerLazily } from "./lazy/offer-lazily.js";
import type { ForkMode } from "./options.js";
import { RemoteInconsistent } from "./remote/errors.js";
import { findRemoteBlock, readHeader } from "./remote/read-chain.js";
import type { Remote } from "./remote/remote.js";

/** The inputs of a fork of an empty database. */
export interface ForkJoinSettings {
  readonly remote: Remote;
  readonly limitGib: number;
  /** `AUTO`: a clone if that is possible. */
  readonly mode: ForkMode;
  readonly log: Logger;
  readonly clock: Pick<Clock, "now">;
  /** The block to fork. */
  getRecord(): ForkRecord;
  /** Called before anything is written. */
  begin(how: { readonly isLazy: boolean }): Promise<void>;
  /** Rejects unless the node delivers single values of the block. */
  verifyState(): Promise<void>;
}

const OPTION = "--fork-url";

/** Fills an empty database with the state of a block of another network, or with the block alone. */
export class ForkJoin implements ChainJoin {
  readonly #settings: ForkJoinSettings;

  constructor(settings: ForkJoinSettings) {
    this.#settings = settings;
  }

  found(): void {
    const { log } = this.#settings;
    const { source, number } = this.#settings.getRecord();
    log.info(`The chain in this folder is a fork of ${source} at block ${number}, and continues`);
  }

  async join(target: JoinTarget): Promise<void> {
    const { remote, log, mode } = this.#settings;
    const { number, hash } = this.#settings.getRecord();
    log.info(`Forking ${remote.name} at block ${number} (${hash})`);
    await this.#verifyBlock(target.signal);
    const header = await readHeader(remote, { number, hash }, target.signal);
    if (mode === "LAZY") return this.#joinLazily(header, target);
    try {
      await this.#clone(header, target);
    } catch (error) {
      if (mode === "CLONE" || !(error instanceof CloneRefused && error.allowsLazy)) throw error;
      log.info(`Forking lazily, as the state cannot be cloned: ${error.message}`);
      await this.#joinLazily(header, target);
    }
  }

  async #joinLazily(header: SealedHeader, target: JoinTarget): Promise<void> {
    const { remote, log } = this.#settings;
    const offered = await offerLazily({ remote, header, option: OPTION }, target);
    await this.#settings.verifyState();
    await this.#settings.begin({ isLazy: true });
    await target.join(offered);
    log.info(
      `Forked ${remote.name} at block ${header.number}: values of its state are read from the node when they are needed`,
    );
  }

  async #clone(header: SealedHeader, target: JoinTarget): Promise<void> {
    const { remote, log, clock, limitGib } = this.#settings;
    const { number, hash } = header;
    const startedAt = clock.now();
    const progress = new CloneProgress({ log, clock, limitGib, option: "--fork-clone-limit" });
    const onPart = (part: number) =>
      log.debug(
        `reading part ${part} of ${STATE_PARTS} of the state: ${progress.describe()} so far`,
      );
    const offered = await offerClone({ remote, header, progress, option: OPTION, onPart }, target);
    await this.#settings.begin({ isLazy: false });
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
