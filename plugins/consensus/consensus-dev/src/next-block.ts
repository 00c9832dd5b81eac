import { type Address, type Hash, type Header, hexToBytes, keccak256, toHex } from "@plinth/core";

/** What a test wants of the next block; what is left out is as usual. */
export interface BlockWishes {
  readonly baseFeePerGas?: bigint;
  readonly prevRandao?: Hash;
  /** Blocks after it keep the gas limit and the coinbase. */
  readonly gasLimit?: bigint;
  readonly coinbase?: Address;
}

/** The header of the next block, as far as it is neither its time nor what runs in it. */
export class NextBlock {
  /** They hold until a block is made. */
  wishes: BlockWishes = {};

  /** Puts the wishes into a draft; the random value is the parent's hash, hashed, unless one is wished. */
  prepare(draft: Header): Header {
    const { baseFeePerGas, prevRandao, gasLimit, coinbase } = this.wishes;
    return {
      ...draft,
      difficulty: 1n,
      mixHash: prevRandao ?? toHex(keccak256(hexToBytes(draft.parentHash))),
      ...(baseFeePerGas === undefined || draft.baseFeePerGas === undefined
        ? {}
        : { baseFeePerGas }),
      ...(gasLimit === undefined ? {} : { gasLimit }),
      ...(coinbase === undefined ? {} : { coinbase }),
    };
  }
}
