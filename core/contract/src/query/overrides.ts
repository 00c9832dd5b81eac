import type { Address, Hash } from "../primitives/hex.js";

/** Overrides of the block that code runs in. */
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

/** Overrides of an account in a simulation. */
export interface AccountOverride {
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  /** Replaces all of its storage. */
  readonly state?: ReadonlyMap<Hash, bigint> | undefined;
  /** Replaces some slots of its storage. */
  readonly stateDiff?: ReadonlyMap<Hash, bigint> | undefined;
  /** Where the precompile at this address is moved. */
  readonly movePrecompileToAddress?: Address | undefined;
}

/** Overrides of the state in a simulation. */
export type StateOverrides = ReadonlyMap<Address, AccountOverride>;
