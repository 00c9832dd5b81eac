/** How far this node is behind the best block of its peers. */
export interface SyncProgress {
  /** The head when the current synchronization started. */
  readonly starting: bigint;
  /** The head of this node. */
  readonly current: bigint;
  /** The best known block. */
  readonly highest: bigint;
  /** Whether the node is catching up; false if it is only a few blocks behind. */
  readonly syncing: boolean;
  /** How many old blocks are still to be added, if the node joined its chain at a later block. */
  readonly missing?: bigint;
}

/** Reported by the synchronizing plugin, read by all others. */
export class SyncStatus {
  readonly #changed: (progress: SyncProgress) => void;
  #progress: SyncProgress | undefined;
  #missing = 0n;

  constructor(changed: (progress: SyncProgress) => void) {
    this.#changed = changed;
  }

  /** The last report; `undefined` if no plugin has reported any, as on a node without peers. */
  get progress(): SyncProgress | undefined {
    return this.#progress;
  }

  /** Whether the node is catching up with its peers. */
  get isSyncing(): boolean {
    return this.#progress?.syncing === true;
  }

  /** How many old blocks are still to be added; the node is up to date meanwhile. */
  get missing(): bigint {
    return this.#missing;
  }

  /** Replaces the number of old blocks that are still to be added. */
  reportMissing(blocks: bigint): void {
    this.#missing = blocks;
  }

  /** Replaces the last report; plugins are notified if it differs. */
  report(progress: SyncProgress): void {
    const last = this.#progress;
    this.#progress = progress;
    const isSame =
      last?.starting === progress.starting &&
      last.current === progress.current &&
      last.highest === progress.highest &&
      last.syncing === progress.syncing;
    if (!isSame) this.#changed(progress);
  }
}
