/** Lets the engine make blocks until it is told to stop, as often as wanted. */
export class Production {
  readonly #produce: (signal: AbortSignal) => Promise<void>;
  readonly #failed: (error: unknown) => void;
  #underWay: { readonly control: AbortController; readonly done: Promise<void> } | undefined;

  constructor(settings: {
    readonly produce: (signal: AbortSignal) => Promise<void>;
    /** Told when production ends by itself with an error. */
    readonly failed: (error: unknown) => void;
  }) {
    this.#produce = settings.produce;
    this.#failed = settings.failed;
  }

  get isRunning(): boolean {
    return this.#underWay !== undefined;
  }

  /** Begins; nothing happens when it runs already. */
  start(): void {
    if (this.isRunning) return;
    const control = new AbortController();
    this.#underWay = { control, done: this.#run(control.signal) };
  }

  /** Ends after the block under way; answers whether it was running. */
  async stop(): Promise<boolean> {
    const underWay = this.#underWay;
    if (underWay === undefined) return false;
    underWay.control.abort();
    await underWay.done;
    return true;
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      await this.#produce(signal);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    } finally {
      this.#underWay = undefined;
    }
  }
}
