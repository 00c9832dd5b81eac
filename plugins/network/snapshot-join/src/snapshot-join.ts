import {
  type Address,
  type Clock,
  ConfigError,
  type Hash,
  InvalidBlock,
  type Logger,
  messageOf,
} from "@plinth/core";
import { type ChainJoin, JoinRefused, type JoinTarget } from "@plinth/core/chain";
import { type Manifest, SnapshotError, type SnapshotSource } from "@plinth/kit-snapshot";
import { idOf, offerSnapshot } from "./offered-snapshot.js";
import { SnapshotFiles } from "./snapshot-files.js";

/** The operator's settings. */
export interface SnapshotJoinSettings {
  readonly sources: readonly SnapshotSource[];
  readonly blockHash: Hash | undefined;
  readonly trustedValidators: readonly Address[];
  readonly log: Logger;
  readonly clock: Pick<Clock, "now">;
}

/** Joins a chain by the first snapshot that is right. */
export class SnapshotJoin implements ChainJoin {
  readonly #settings: SnapshotJoinSettings;

  constructor(settings: SnapshotJoinSettings) {
    this.#settings = settings;
  }

  found({ head, joinedAt }: Parameters<ChainJoin["found"]>[0]): void {
    if (joinedAt !== undefined) {
      this.#settings.log.info(`The node has joined its chain at block ${joinedAt} before`);
      return;
    }
    throw new ConfigError("SNAPSHOT_REFUSED", {
      message: `--snapshot needs an empty database, and this one has a chain up to block ${head.number}; remove the option, or choose another --data-path`,
      option: "snapshot",
    });
  }

  async join(target: JoinTarget): Promise<void> {
    const { sources, log } = this.#settings;
    const refused = new Set<string>();
    const reasons: string[] = [];
    for (const source of sources) {
      try {
        const manifest = await this.#readManifest(source, target.signal);
        if (refused.has(idOf(manifest))) continue;
        refused.add(idOf(manifest));
        this.#verifyBlock(manifest, target.interrupted);
        await this.#joinBy(manifest, source, target);
        return;
      } catch (error) {
        // Errors of files end the start: the next one continues.
        if (!(error instanceof JoinRefused || error instanceof NotUsable)) throw error;
        const reason = `${source.name}: ${messageOf(error)}${hintFor(error)}`;
        log.warn(`the snapshot is not used: ${reason}`);
        reasons.push(reason);
      }
    }
    throw new ConfigError("SNAPSHOT_REFUSED", {
      message: `no snapshot of --snapshot can be used: ${reasons.join("; ")}`,
      option: "snapshot",
    });
  }

  async #joinBy(manifest: Manifest, source: SnapshotSource, target: JoinTarget): Promise<void> {
    const { sources, trustedValidators, log, clock } = this.#settings;
    const { number, hash } = manifest.block;
    log.info(`Joining the chain at block ${number} (${hash}) by the snapshot of ${source.name}`);
    const inOrder = [source, ...sources.filter((other) => other !== source)];
    const validators = trustedValidators.length === 0 ? undefined : trustedValidators;
    const offered = offerSnapshot(manifest, {
      files: new SnapshotFiles(inOrder, log),
      trust: { validators },
      signal: target.signal,
      log,
      clock,
    });
    await target.join(offered);
    log.info(`The node has joined its chain at block ${number}`);
  }

  async #readManifest(source: SnapshotSource, signal: AbortSignal): Promise<Manifest> {
    try {
      return await source.readManifest({ signal });
    } catch (error) {
      throw error instanceof SnapshotError ? new NotUsable(error.message, { cause: error }) : error;
    }
  }

  #verifyBlock({ block }: Manifest, interrupted: JoinTarget["interrupted"]): void {
    const { blockHash } = this.#settings;
    if (blockHash !== undefined && block.hash !== blockHash) {
      throw new NotUsable(`its block is ${block.hash}, --snapshot-block-hash is ${blockHash}`);
    }
    if (interrupted !== undefined && block.hash !== interrupted.hash) {
      throw new NotUsable(
        `its block is ${block.number} (${block.hash}), but joining at block ${interrupted.number} (${interrupted.hash}) was interrupted; continue with a snapshot of that block, or remove the database to begin again`,
      );
    }
  }
}

/** A manifest that cannot be read, or is of another block than the wanted one. */
class NotUsable extends Error {}

function hintFor(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const isByContract = cause instanceof InvalidBlock && cause.rule === "validator-contract";
  return isByContract ? " with --trusted-validators" : "";
}
