import {
  type Block,
  type ConsensusEngine,
  type Fork,
  type Header,
  InvalidBlock,
  isAtLeast,
  keccakHeader,
  nextBaseFee,
} from "@plinth/core";
import { difficultyOn, verifyUncles } from "./proof-of-work-rules.js";
import { reward } from "./unsealed-engine.js";

const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
const DAO_BLOCKS = 10n;
const DAO_EXTRA_DATA = Buffer.from("dao-hard-fork").toString("hex");

/** What the rules of a header depend on beside its parent. */
export interface TestChain {
  readonly terminalTotalDifficulty: bigint | undefined;
  readonly daoBlock: bigint | undefined;
  forkAt(header: Header): Fork;
}

/** Proof of work without seals, and proof of stake after a merge: all that a header must keep to. */
export class TestChainEngine implements ConsensusEngine {
  readonly finality = "eventual";
  readonly #chain: TestChain;
  readonly #blocks = new Map<string, Known>();

  constructor(chain: TestChain) {
    this.#chain = chain;
  }

  hashHeader(header: Header) {
    return keccakHeader(header);
  }

  author({ coinbase }: Header) {
    return coinbase;
  }

  feeRecipient({ coinbase }: Header) {
    return coinbase;
  }

  prepareHeader(draft: Header): Header {
    return draft;
  }

  verifyHeader(header: Header, parent: Header): void {
    const known = this.#know({ header: parent, uncles: [] });
    const { terminalTotalDifficulty: terminal } = this.#chain;
    const isMerged = terminal !== undefined && known.totalDifficulty >= terminal;
    this.#verify(header, parent, isMerged);
    if (isMerged) require(header.unclesHash === NO_UNCLES, "uncles after the merge");
  }

  finalize({ block, fork, state }: Parameters<NonNullable<ConsensusEngine["finalize"]>>[0]): void {
    const { header, body } = block;
    if (header.difficulty > 0n) {
      const find = (hash: string) => this.#blocks.get(hash);
      verifyUncles({ header, uncles: body.uncles }, find, (uncle, parent) =>
        this.#verify(uncle, parent, false),
      );
      reward({ block, fork, state });
    }
    this.#know({ header, uncles: body.uncles });
  }

  prefers(
    candidate: { readonly header: Header; readonly totalDifficulty: bigint },
    head: { readonly header: Header; readonly totalDifficulty: bigint },
  ): boolean {
    if (candidate.header.difficulty === 0n) return candidate.header.number > head.header.number;
    return candidate.totalDifficulty > head.totalDifficulty;
  }

  #verify(header: Header, parent: Header, isMerged: boolean): void {
    const fork = this.#chain.forkAt(header);
    require(header.number === parent.number + 1n, "number");
    require(header.timestamp > parent.timestamp, "timestamp");
    require(header.extraData.length <= 32, "extra data");
    require(header.gasUsed <= header.gasLimit, "gas used");
    verifyGas(header, parent, fork);
    this.#verifyDao(header);
    if (isMerged) {
      require(header.difficulty === 0n, "difficulty after the merge");
      require(header.nonce.every((byte) => byte === 0), "nonce after the merge");
    } else {
      require(header.difficulty === difficultyOn(parent, header, fork), "difficulty");
    }
  }

  #verifyDao({ number, extraData }: Header): void {
    const { daoBlock } = this.#chain;
    if (daoBlock === undefined || number < daoBlock || number >= daoBlock + DAO_BLOCKS) return;
    require(Buffer.from(extraData).toString("hex") ===
      DAO_EXTRA_DATA, "extra data of the DAO fork");
  }

  #know({ header, uncles }: Pick<Known, "header" | "uncles">): Known {
    const hash = keccakHeader(header);
    const known = this.#blocks.get(hash);
    if (known !== undefined) return known;
    const before = this.#blocks.get(header.parentHash)?.totalDifficulty ?? 0n;
    const made = { header, uncles, totalDifficulty: before + header.difficulty };
    this.#blocks.set(hash, made);
    return made;
  }
}

interface Known {
  readonly header: Header;
  readonly uncles: Block["body"]["uncles"];
  readonly totalDifficulty: bigint;
}

function verifyGas(header: Header, parent: Header, fork: Fork): void {
  const hasBaseFee = isAtLeast(fork, "london");
  const isFirst = hasBaseFee && parent.baseFeePerGas === undefined;
  const usual = isFirst ? parent.gasLimit * 2n : parent.gasLimit;
  const change = header.gasLimit > usual ? header.gasLimit - usual : usual - header.gasLimit;
  require(change < usual / 1024n && header.gasLimit >= 5000n, "gas limit");
  require(header.gasLimit < 2n ** 63n, "gas limit");
  require(header.baseFeePerGas === (hasBaseFee ? nextBaseFee(parent) : undefined), "base fee");
}

function require(isRight: boolean, rule: string): void {
  if (!isRight) throw new InvalidBlock(rule, `a header breaks a rule: ${rule}`);
}
