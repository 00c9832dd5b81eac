import type { Health, Logger } from "@plinth/core";

/** Why this node does not sign the next block. */
export interface Obstacle {
  readonly kind: "not-a-signer" | "recently-signed" | "signed-before" | "fork";
  readonly text: string;
}

/** Whether this node can sign the next block, and if not, why. */
export class SigningStatus {
  readonly #log: Logger;
  #obstacle: Obstacle | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Records what prevents this node from signing now; `undefined` if it may sign. */
  update(obstacle: Obstacle | undefined): void {
    const before = this.#obstacle;
    this.#obstacle = obstacle;
    if (obstacle === undefined) {
      if (before?.kind === "not-a-signer") this.#log.info("this node is a signer now");
      return;
    }
    // With few signers each of them waits after each of its blocks.
    if (obstacle.kind === "recently-signed") this.#log.debug(obstacle.text);
    else if (obstacle.kind === "signed-before" && before?.kind !== obstacle.kind)
      this.#log.warn(obstacle.text);
    else if (before?.kind !== obstacle.kind) this.#log.info(obstacle.text);
  }

  /** A node that only follows the chain is healthy. */
  health(isBehind: boolean): Health {
    if (isBehind) return { status: "up", detail: "signs nothing: it is behind its peers" };
    const obstacle = this.#obstacle;
    if (obstacle === undefined) return { status: "up" };
    const isTrouble = obstacle.kind === "fork" || obstacle.kind === "signed-before";
    const status = isTrouble ? "degraded" : "up";
    return { status, detail: `signs nothing: ${obstacle.text}` };
  }
}
