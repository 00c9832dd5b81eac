import { defineService, type Hash } from "@plinth/core";

/** The block of another network at which this chain begins. */
export interface DevFork {
  /** The origin of the address of the node, without its path, which may be secret. */
  readonly source: string;
  /** The chain id of the other network. */
  readonly chainId: bigint;
  readonly block: { readonly number: bigint; readonly hash: Hash };
  /** The block that a reset of the chain makes the head: with the funds of the well-known accounts, if they needed any. */
  start(): Hash;
}

/** The fork, for plugins that reset the chain or describe it. */
export const devFork = defineService<DevFork>("dev-fork.fork", {
  hint: "@plinth/plugin-dev-fork",
});
