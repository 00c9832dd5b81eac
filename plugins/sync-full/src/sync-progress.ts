import type { Header, Runtime } from "@plinth/core";

/** So many blocks behind the best peer a node still counts as in sync, as in Besu. */
const MAX_BEHIND = 5n;
const LINE_EVERY_MS = 10_000;
const LINE_EVERY_BLOCKS = 200n;

/** Reports how far synchronization has come: to other plugins, and to the operator every 10 seconds. */
export class ProgressReport {
  readonly #runtime: Runtime;
  #starting: bigint | undefined;
  #release: (() => void) | undefined;
  #bulk: { readonly since: number; gas: bigint } | undefined;
  #line: { readonly at: number; readonly block: bigint } | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Reports the head of this node against the best block of its peers. */
  update(highest: bigint): void {
    const { chain, sync, log } = this.#runtime;
    const current = chain.blocks.head().number;
    const syncing = highest > current + MAX_BEHIND;
    if (syncing && this.#starting === undefined) {
      log.info(`Synchronizing from block ${current} to ${highest}`);
      this.#line = { at: this.#runtime.clock.now(), block: current };
    }
    if (!syncing && this.#starting !== undefined) {
      log.info(`Node is in sync at block ${current}, enabling transaction handling`);
    }
    this.#starting = syncing ? (this.#starting ?? current) : undefined;
    sync.report({
      starting: this.#starting ?? current,
      current,
      highest: highest > current ? highest : current,
      syncing,
    });
    this.#holdProduction(syncing);
    if (syncing) this.#writeLine(current, highest);
  }

  /** Counts a block; every 200 of them get a line, as in Besu. */
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

  /** Lets blocks be made again. */
  end(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** A block on an old head would only be replaced. */
  #holdProduction(syncing: boolean): void {
    const { production } = this.#runtime;
    if (syncing) this.#release ??= production?.hold();
    else this.end();
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
