import { type BlockReader, RpcError, type Runtime } from "@plinth/core";
import type { DevChain } from "@plinth/plugin-consensus-dev/api";
import type { DevFork } from "@plinth/plugin-dev-fork/api";
import type { Senders } from "./senders.js";

/** What the methods of this plugin operate on, while it runs. */
export interface Dev
  extends Pick<
    Runtime,
    "chain" | "pool" | "query" | "compatibility" | "clock" | "logs" | "clientVersion"
  > {
  readonly dev: DevChain;
  /** The block of another network at which the chain begins; `undefined` if it is no fork. */
  readonly fork: DevFork | undefined;
  readonly blocks: BlockReader;
  readonly senders: Senders;
}

/** The part of a running node that they need. */
export function pickDev(
  runtime: Runtime & { readonly dev: DevChain; readonly fork?: DevFork | undefined },
): Omit<Dev, "senders"> {
  const { chain, pool, query, compatibility, clock, logs, clientVersion, dev, fork } = runtime;
  const { blocks } = chain;
  return { chain, pool, query, compatibility, clock, logs, clientVersion, dev, fork, blocks };
}

/** State of the running plugin; replaced methods look it up here. */
export class DevHolder {
  #dev: Dev | undefined;

  open(dev: Dev): void {
    this.#dev = dev;
  }

  /** Whether the chain uses the development engine. */
  get isOpen(): boolean {
    return this.#dev !== undefined;
  }

  get current(): Dev {
    if (this.#dev !== undefined) return this.#dev;
    throw RpcError.methodNotEnabled("the chain is not a development chain");
  }
}
