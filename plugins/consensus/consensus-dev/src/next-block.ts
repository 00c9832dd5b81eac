import { type Address, type Hash, type Header, hexToBytes, keccak256, toHex } from "@plinth/core";
import { copyHeader } from "@plinth/core/blocks";

/** A test's overrides for the next block; omitted fields have their defaults. */
export interface NextBlockOverrides {
  readonly baseFeePerGas?: bigint;
  readonly prevRandao?: Hash;
  /** The gas limit and the coinbase also apply to later blocks. */
  readonly gasLimit?: bigint;
  readonly coinbase?: Address;
}

/**
 * The header fields of the next block, except for its time and those that follow from execution.
 */
export class NextBlock {
  /** In force until a block is produced. */
  nextBlockOverrides: NextBlockOverrides = {};

  /**
   * Applies the overrides to a draft; by default the random value is the hash of the parent's hash.
   */
  prepare(draft: Header): Header {
    const { baseFeePerGas, prevRandao, gasLimit, coinbase } = this.nextBlockOverrides;
    return copyHeader(draft, {
      difficulty: 1n,
      mixHash: prevRandao ?? toHex(keccak256(hexToBytes(draft.parentHash))),
      baseFeePerGas: draft.baseFeePerGas === undefined ? undefined : baseFeePerGas,
      gasLimit,
      coinbase,
    });
  }
}
