import { type BlockReader, RpcError, type Runtime } from "@plinth/core";
import type { DevChain } from "@plinth/plugin-consensus-dev/api";
import type { Senders } from "./senders.js";

/** What the methods of this plugin work on, while it runs. */
export interface Dev extends Pick<Runtime, "chain" | "pool" | "query" | "compatibility"> {
  readonly dev: DevChain;
  readonly blocks: BlockReader;
  readonly senders: Senders;
}

/** What a running plugin has; methods it put in the place of others ask here. */
export class DevHolder {
  #dev: Dev | undefined;

  open(dev: Dev): void {
    this.#dev = dev;
  }

  /** Whether the chain is one of the development engine. */
  get isOpen(): boolean {
    return this.#dev !== undefined;
  }

  get current(): Dev {
    if (this.#dev !== undefined) return this.#dev;
    throw RpcError.methodNotEnabled("the chain is no development chain");
  }
}
