import {
  type Clock,
  type Counter,
  LimitExceeded,
  type OptionValues,
  systemClock,
} from "@plinth/core";
import type { CallBudget, ClaimedCall } from "@plinth/core/rpc";
import type { GuardedNode } from "../bodies/response-guard.js";
import { clientKey } from "./client-address.js";
import type { clientOptions } from "./client-options.js";
import { TokenBuckets } from "./token-buckets.js";

/** A heavy call may take long; a client that retries after this time is slow enough. */
const HEAVY_RETRY_MS = 1000;
const NOTHING_TO_END = () => {};

/** Limits the calls of each client on a listener, by its name or its address. */
export class CallGuard {
  readonly #buckets: TokenBuckets | undefined;
  readonly #maxHeavy: number;
  readonly #heavy = new Map<string, number>();
  readonly #limited: Counter;
  /** Consecutive requests mostly come from one address. */
  #last: { readonly address: string | undefined; readonly budget: CallBudget } | undefined;
  #clock: Clock = systemClock;

  /** Declares the metrics of the listener's plugin. */
  constructor({ metrics, onStart }: GuardedNode, config: OptionValues<typeof clientOptions>) {
    const { rpcClientRateLimit: perSecond, rpcClientRateBurst } = config;
    const burst = rpcClientRateBurst === 0 ? perSecond * 10 : rpcClientRateBurst;
    this.#buckets = perSecond === 0 ? undefined : new TokenBuckets({ perSecond, burst });
    this.#maxHeavy = config.rpcClientMaxHeavyCalls;
    this.#limited = metrics.counter({
      name: "calls_limited",
      help: "Calls rejected because their client made too many.",
      labels: ["limit"],
    });
    onStart(({ clock }) => {
      this.#clock = clock;
    });
  }

  /** The budget of a client at an address; `undefined` if there are no limits. */
  budgetOf(address: string | undefined): CallBudget | undefined {
    if (this.#buckets === undefined && this.#maxHeavy === 0) return undefined;
    if (this.#last === undefined || this.#last.address !== address) {
      this.#last = { address, budget: this.#createBudget(address) };
    }
    return this.#last.budget;
  }

  #createBudget(address: string | undefined): CallBudget {
    const key = `address ${clientKey(address)}`;
    return {
      claim: (call) =>
        this.#claim(call.identity === undefined ? key : `user ${call.identity}`, call),
    };
  }

  #claim(client: string, { cost, isHeavy }: ClaimedCall): (() => void) | LimitExceeded {
    const isCounted = isHeavy && this.#maxHeavy > 0;
    const running = this.#heavy.get(client) ?? 0;
    if (isCounted && running >= this.#maxHeavy) {
      this.#limited.increment(1, { limit: "heavy" });
      return new LimitExceeded(
        `${running} long calls of this client are in progress, which is the maximum`,
        HEAVY_RETRY_MS,
      );
    }
    const waitMs = this.#buckets?.take(client, cost, this.#clock.now()) ?? 0;
    if (waitMs > 0) {
      this.#limited.increment(1, { limit: "rate" });
      return new LimitExceeded("Rate limit of this client exceeded", waitMs);
    }
    if (!isCounted) return NOTHING_TO_END;
    this.#heavy.set(client, running + 1);
    return this.#endOnce(client);
  }

  #endOnce(client: string): () => void {
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      const left = (this.#heavy.get(client) ?? 1) - 1;
      if (left === 0) this.#heavy.delete(client);
      else this.#heavy.set(client, left);
    };
  }
}
