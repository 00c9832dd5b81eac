import type { Clock, Health, Logger } from "@plinth/core";

/** Inputs for judging a node without peers. */
export interface LonelinessSettings {
  readonly clock: Clock;
  readonly log: Logger;
  readonly hasPeers: () => boolean;
  /** Number of nodes that the operator configured. */
  readonly expected: () => number;
  /** Why it has none, as far as known. */
  readonly explain: () => string;
}

const CHECK_MS = 10_000;
/** Shorter periods without peers are normal. */
const ALONE_MS = 60_000;
const AGAIN_MS = 1_800_000;

/**
 * Logs that the node has no peers, with the reason; as a warning, once and then rarely, if nodes
 * are configured.
 */
export class Loneliness {
  readonly #settings: LonelinessSettings;
  #since: number;
  #warnsAt = 0;
  #isLogged = false;
  #cancel: () => void = () => {};

  constructor(settings: LonelinessSettings) {
    this.#settings = settings;
    this.#since = settings.clock.now();
  }

  start(): void {
    this.#cancel = this.#settings.clock.after(CHECK_MS, () => {
      this.#check();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  /**
   * A node with configured nodes and no peers is unhealthy; one without may be alone on purpose.
   */
  health(): Health {
    const { hasPeers, expected } = this.#settings;
    if (hasPeers() || !this.#isLong()) return { status: "up" };
    return { status: expected() > 0 ? "degraded" : "up", detail: this.#describe() };
  }

  #check(): void {
    const { clock, log, hasPeers, expected } = this.#settings;
    if (hasPeers()) {
      if (this.#isLogged) log.info("connected to peers again");
      this.#since = clock.now();
      this.#warnsAt = 0;
      this.#isLogged = false;
      return;
    }
    if (!this.#isLong()) return;
    if (expected() === 0) {
      if (!this.#isLogged) log.info(this.#describe());
    } else if (clock.now() >= this.#warnsAt) {
      this.#warnsAt = clock.now() + AGAIN_MS;
      log.warn(this.#describe());
    }
    this.#isLogged = true;
  }

  #isLong(): boolean {
    return this.#settings.clock.now() - this.#since >= ALONE_MS;
  }

  #describe(): string {
    const seconds = Math.round((this.#settings.clock.now() - this.#since) / 1000);
    return `no peers for ${seconds} s: ${this.#settings.explain()}`;
  }
}
