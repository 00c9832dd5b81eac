import type { Clock, Logger } from "@plinth/core";
import { StatePruned } from "@plinth/core/chain";
import type { Source } from "../source/source.js";
import { SourceProblem } from "../source/source-problem.js";

/** A source, and what is known of it. */
interface Candidate {
  readonly source: Source;
  /** Why it is not followed; `undefined` if nothing is wrong. */
  problem: string | undefined;
  /** When it may be followed again. */
  notBeforeMs: number;
  pauseMs: number;
}

/** How a source is followed: until the signal aborts, or a `SourceProblem`. */
export type FollowSource = (source: Source, signal: AbortSignal) => Promise<never>;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Follows the first source that can be followed; one that cannot is left alone for a while, which grows. */
export class Rotation {
  readonly #candidates: readonly Candidate[];
  readonly #clock: Clock;
  readonly #log: Logger;
  #followed: Candidate | undefined;
  #switches = 0;

  constructor(
    sources: readonly Source[],
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#candidates = sources.map((source) => ({
      ...{ source, problem: undefined, notBeforeMs: 0, pauseMs: FIRST_PAUSE_MS },
    }));
    this.#clock = clock;
    this.#log = log;
  }

  /** The source that delivers; `undefined` while none does. */
  get followed(): Source | undefined {
    return this.#followed?.source;
  }

  /** How often a source could not be followed any longer. */
  get switches(): number {
    return this.#switches;
  }

  /** Why sources are not followed. */
  get problems(): readonly string[] {
    return this.#candidates.flatMap(({ problem }) => problem ?? []);
  }

  /** Calls to forward go to the source that delivers, or else to the first one. */
  get preferred(): Source | undefined {
    return this.#followed?.source ?? this.#candidates[0]?.source;
  }

  /** Follows sources until the signal aborts. */
  async run(follow: FollowSource, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = this.#next();
      const waitMs = next.notBeforeMs - this.#clock.now();
      if (waitMs > 0) await this.#clock.sleep(waitMs, signal).catch(() => {});
      if (signal.aborted) return;
      try {
        await follow(next.source, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#failed(next, error);
      }
    }
  }

  /** A source has delivered. */
  delivers(source: Source): void {
    const found = this.#candidates.find((each) => each.source === source);
    if (found === undefined || this.#followed === found) return;
    this.#followed = found;
    found.problem = undefined;
    found.pauseMs = FIRST_PAUSE_MS;
    this.#log.info(`Following ${source.name}.`);
  }

  /** The one whose pause ends first, even if that was long ago: sources that take long to fail keep none from its turn. */
  #next(): Candidate {
    const [first, ...others] = this.#candidates;
    if (first === undefined) throw new RangeError("there is no source to follow");
    return others.reduce(
      (found, each) => (each.notBeforeMs < found.notBeforeMs ? each : found),
      first,
    );
  }

  #failed(candidate: Candidate, error: unknown): void {
    if (!(error instanceof SourceProblem || error instanceof StatePruned)) throw error;
    const problem = error.message;
    if (this.#followed === candidate) this.#followed = undefined;
    this.#switches += 1;
    const { pauseMs } = candidate;
    const line = `${problem}; it is tried again in ${pauseMs / 1000} s`;
    // Logged once for each reason, not at each attempt.
    if (candidate.problem === problem) this.#log.debug(line);
    else this.#log.warn(line);
    candidate.problem = problem;
    candidate.notBeforeMs = this.#clock.now() + pauseMs;
    candidate.pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}
