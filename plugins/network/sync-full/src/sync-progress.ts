import type { Header, Runtime } from "@plinth/core";

/** Up to this many blocks behind the best peer a node counts as in sync, as in Besu. */
const MAX_BEHIND = 5n;
const LINE_EVERY_MS = 10_000;
const LINE_EVERY_BLOCKS = 200n;

/** Reports sync progress: to other plugins, and to the operator every 10 seconds. */
export class ProgressReport {
  readonly #runtime: Runtime;
  #starting: bigint | undefined;
  #release: (() => void) | undefined;
  #bulk: { readonly since: number; gas: bigint } | undefined;
  #line: { readonly at: number; readonly block: bigint } | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Reports how far this node is behind the peer whose blocks it imports. */
  behind({ from, highest }: { readonly from: bigint; readonly highest: bigint }): void {
    const { chain, clock, log } = this.#runtime;
    const current = chain.blocks.head().number;
    const syncing = highest > current + MAX_BEHIND;
    if (syncing && this.#starting === undefined) {
      log.info(`Synchronizing from block ${from} to ${highest}`);
      this.#line = { at: clock.now(), block: from };
      this.#starting = from;
    }
    // Close to the head gossip takes over; a sync in progress continues to its end.
    if (this.#starting === undefined) return;
    this.#report(highest, true);
    this.#release ??= this.#runtime.production?.hold();
    this.#writeLine(current, highest);
  }

  /**
   * Reports that no peer delivers a block that this node lacks; `isComplete` if none claims to have
   * one either.
   */
  caughtUp({ isComplete }: { readonly isComplete: boolean }): void {
    const current = this.#runtime.chain.blocks.head().number;
    const { log } = this.#runtime;
    if (this.#starting !== undefined && isComplete) {
      log.info(`Node is in sync at block ${current}, enabling transaction handling`);
    } else if (this.#starting !== undefined) {
      log.warn(`Synchronization stopped at block ${current}: no peer delivers later blocks`);
    }
    this.end();
  }

  /** Ends with the plugin: production continues, and no sync is reported as in progress. */
  end(): void {
    const current = this.#runtime.chain.blocks.head().number;
    this.#starting = undefined;
    this.#report(current, false);
    this.#release?.();
    this.#release = undefined;
  }

  /** Counts a block; logs a line every 200, as in Besu. */
  imported({ number, gasUsed }: Header): void {
    const { clock, log, chain, network } = this.#runtime;
    this.#bulk ??= { since: clock.now(), gas: 0n };
    this.#bulk.gas += gasUsed;
    if (number % LINE_EVERY_BLOCKS !== 0n) return;
    const seconds = Math.max(0.001, (clock.now() - this.#bulk.since) / 1000);
    const megagas = (Number(this.#bulk.gas) / 1e6 / seconds).toFixed(3);
    const { hash } = chain.blocks.head();
    log.info(
      `Import reached block ${number.toLocaleString("en-US")} (${hash}), ${megagas} Mg/s, Peers: ${network.peers().length}`,
    );
    this.#bulk = { since: clock.now(), gas: 0n };
  }

  #report(highest: bigint, syncing: boolean): void {
    const current = this.#runtime.chain.blocks.head().number;
    this.#runtime.sync.report({
      starting: this.#starting ?? current,
      current,
      highest: highest > current ? highest : current,
      syncing,
    });
  }

  #writeLine(current: bigint, highest: bigint): void {
    const { clock, log, network } = this.#runtime;
    const last = this.#line;
    const now = clock.now();
    if (last === undefined || now - last.at < LINE_EVERY_MS) return;
    this.#line = { at: now, block: current };
    const perSecond = Number(current - last.block) / ((now - last.at) / 1000);
    const left = perSecond > 0 ? formatSeconds(Number(highest - current) / perSecond) : "unknown";
    const percent = ((Number(current) / Number(highest)) * 100).toFixed(1);
    log.info(
      `Synchronizing: block ${current} of ${highest} (${percent} %), ${perSecond.toFixed(0)} blocks/s, time left ${left}, peers: ${network.peers().length}`,
    );
  }
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
