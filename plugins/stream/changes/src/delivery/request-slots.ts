import { LimitExceeded, type RpcClient } from "@plinth/core";

/** Requests that are being served, or wait; one caller may have a quarter of them. */
const MAX_REQUESTS = 32;
const MAX_PER_CALLER = 8;
const RETRY_MS = 1000;

/** Limits the requests for ranges that are open at a time, so that no caller keeps the others out. */
export class RequestSlots {
  readonly #callers = new Map<string, number>();
  #count = 0;

  /** Takes a slot; the returned function frees it. Throws `LimitExceeded` if there is none. */
  take(client: Pick<RpcClient, "identity" | "remoteAddress">): () => void {
    const caller = nameOf(client);
    const own = this.#callers.get(caller) ?? 0;
    if (this.#count >= MAX_REQUESTS) {
      throw new LimitExceeded(`At most ${MAX_REQUESTS} requests for changes at a time`, RETRY_MS);
    }
    if (own >= MAX_PER_CALLER) {
      throw new LimitExceeded(
        `At most ${MAX_PER_CALLER} requests for changes at a time by one caller`,
        RETRY_MS,
      );
    }
    this.#count += 1;
    this.#callers.set(caller, own + 1);
    return () => this.#free(caller);
  }

  #free(caller: string): void {
    this.#count -= 1;
    const left = (this.#callers.get(caller) ?? 1) - 1;
    if (left === 0) this.#callers.delete(caller);
    else this.#callers.set(caller, left);
  }
}

/** Its user, or else its address. */
function nameOf({ identity, remoteAddress }: Pick<RpcClient, "identity" | "remoteAddress">) {
  return identity === undefined ? `address ${remoteAddress}` : `user ${identity.name}`;
}
