import type { Blockchain } from "./blockchain.js";

/** What can be read of a chain, by any plugin and on any thread. */
export type BlockReader = Omit<
  Blockchain,
  keyof BlockWriter | "build" | "execute" | "submit" | "observe" | "close"
>;

/** What changes a chain: few plugins need it. */
export type BlockWriter = Pick<
  Blockchain,
  "import" | "verifyHeader" | "setHead" | "rerun" | "rebuildStates"
>;
