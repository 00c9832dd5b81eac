import type { Hash } from "../primitives/hex.js";

/** Why a transaction left the pool without being mined. */
export interface Departure {
  readonly kind: "replaced" | "nonce-used" | "evicted" | "expired" | "invalid" | "removed";
  /** For people. */
  readonly message: string;
  /** The transaction that replaced it. */
  readonly by?: Hash;
}

/** Why a transaction cannot be included in the next block, with its offer and the requirement. */
export interface Shortfall {
  readonly price: "base-fee" | "blob-fee" | "min-gas-price" | "min-priority-fee";
  readonly offered: bigint;
  readonly needed: bigint;
}

/** The fate of a transaction, or what it waits for; `message` is for people. */
export type Explanation = { readonly message: string } & (
  | { readonly state: "mined"; readonly blockHash: Hash; readonly blockNumber: bigint }
  | { readonly state: "ready" }
  | { readonly state: "waiting-for-nonce"; readonly nonce: bigint }
  | ({ readonly state: "underpriced" } & Shortfall)
  | { readonly state: "unfunded"; readonly balance: bigint; readonly cost: bigint }
  | { readonly state: "held-up"; readonly by: Hash }
  | { readonly state: "set-aside" }
  | { readonly state: "dropped"; readonly reason: Departure["kind"]; readonly by?: Hash }
  | { readonly state: "unknown" }
);
