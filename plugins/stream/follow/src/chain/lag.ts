import type { Clock } from "@plinth/core";
import type { NamedHealth } from "@plinth/core/kernel";
import type { Progress } from "./follower.js";
import type { Rotation } from "./rotation.js";

/** How far a replica is behind its source. */
export class Lag {
  readonly #clock: Clock;
  readonly #rotation: Pick<Rotation, "followed" | "problems">;
  readonly #maxSeconds: number;
  #progress: Progress | undefined;
  /** When it last had everything; `undefined` before that. */
  #completeAtMs: number | undefined;

  constructor(on: {
    readonly clock: Clock;
    readonly rotation: Pick<Rotation, "followed" | "problems">;
    /** Not ready if it is behind for longer. */
    readonly maxSeconds: number;
  }) {
    this.#clock = on.clock;
    this.#rotation = on.rotation;
    this.#maxSeconds = on.maxSeconds;
  }

  /** Notes what a source has, and what of it was applied. */
  report(progress: Progress): void {
    this.#progress = progress;
    if (progress.applied >= progress.last) this.#completeAtMs = this.#clock.now();
  }

  /** Records of the source that are not applied, one for each block; `undefined` before a source has responded. */
  get blocks(): number | undefined {
    const { last, applied } = this.#progress ?? {};
    return last === undefined || applied === undefined
      ? undefined
      : Math.max(0, Number(last - applied));
  }

  /** Seconds since it had everything that its source has; `undefined` before it had. */
  get seconds(): number | undefined {
    if (this.#completeAtMs === undefined) return undefined;
    const isComplete = this.blocks === 0 && this.#rotation.followed !== undefined;
    return isComplete ? 0 : Math.max(0, (this.#clock.now() - this.#completeAtMs) / 1000);
  }

  /** Up while it has all blocks, or had them a moment ago. */
  health(): Pick<NamedHealth, "status" | "detail"> {
    const { followed, problems } = this.#rotation;
    const { blocks, seconds } = this;
    const source =
      followed === undefined ? problems.join("; ") || "no source has responded yet" : followed.name;
    if (seconds === undefined) {
      const left = blocks === undefined ? "" : `, ${blocks} blocks left`;
      return { status: "down", detail: `catching up for the first time${left}: ${source}` };
    }
    const detail = `${blocks ?? 0} blocks and ${Math.round(seconds)} s behind: ${source}`;
    if (seconds > this.#maxSeconds) return { status: "down", detail };
    return { status: followed === undefined ? "degraded" : "up", detail };
  }
}
