import {
  type Address,
  type ConsensusEngine,
  type Hash,
  type Header,
  InvalidBlock,
  keccakHeader,
  type SealedHeader,
  toHex,
} from "@plinth/core";
import { NO_UNCLES_HASH } from "@plinth/core/blocks";
import type { WeighedHeader } from "@plinth/core/consensus";

const MAX_EXTRA_DATA_BYTES = 32;
const NO_NONCE = "0x0000000000000000";

/**
 * The rules of blocks after the merge (EIP-3675).
 *
 * Block production is decided elsewhere: a consensus client selects the head and requests blocks. Withdrawals and the
 * header fields of later forks are handled by the core, as on every chain.
 */
export class StakeEngine implements ConsensusEngine {
  readonly finality = "eventual";

  hashHeader(header: Header): Hash {
    return keccakHeader(header);
  }

  lacksSeal(): boolean {
    return true;
  }

  author({ coinbase }: Header): Address {
    return coinbase;
  }

  feeRecipient({ coinbase }: Header): Address {
    return coinbase;
  }

  verifyHeader(header: SealedHeader, parent: SealedHeader): void {
    const { number } = header;
    const verify = (rule: string, isKept: boolean, problem: string) => {
      if (!isKept) throw new InvalidBlock(rule, `block ${number}: ${problem}`);
    };
    verify("timestamp", header.timestamp > parent.timestamp, "it is not later than its parent");
    verify("difficulty", header.difficulty === 0n, "it has a difficulty");
    verify("nonce", toHex(header.nonce) === NO_NONCE, "it has a nonce");
    verify("uncles", header.unclesHash === NO_UNCLES_HASH, "it has uncles");
    verify("extra-data", header.extraData.length <= MAX_EXTRA_DATA_BYTES, "its extra data is long");
  }

  prepareHeader(draft: Header): Header {
    return { ...draft, difficulty: 0n };
  }

  /** Blocks have no weight; until a consensus client sets the head, the longer chain is better. */
  prefers(candidate: WeighedHeader, head: WeighedHeader): boolean {
    return candidate.header.number > head.header.number;
  }
}
