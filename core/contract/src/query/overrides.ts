import type { Address, Hash } from "../primitives/hex.js";

/** How the block is to differ that code runs in. */
export interface BlockOverrides {
  readonly number?: bigint | undefined;
  readonly time?: bigint | undefined;
  readonly gasLimit?: bigint | undefined;
  readonly difficulty?: bigint | undefined;
  readonly feeRecipient?: Address | undefined;
  readonly prevRandao?: Hash | undefined;
  readonly baseFeePerGas?: bigint | undefined;
  readonly blobBaseFee?: bigint | undefined;
}

/** How an account is to look in a simulation. */
export interface AccountOverride {
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  /** All of its storage. */
  readonly state?: ReadonlyMap<Hash, bigint> | undefined;
  /** Some slots of its storage. */
  readonly stateDiff?: ReadonlyMap<Hash, bigint> | undefined;
  /** Where the precompile goes that is here. */
  readonly movePrecompileToAddress?: Address | undefined;
}

/** How the state is to differ in a simulation. */
export type StateOverrides = ReadonlyMap<Address, AccountOverride>;
