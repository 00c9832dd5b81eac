import { type EngineContext, type Header, InvalidBlock, toHex } from "@plinth/core";
import { NO_UNCLES_HASH } from "@plinth/core/blocks";
import type { Fork } from "@plinth/core/evm";
import { difficultyOf } from "./difficulty.js";
import type { EthashSettings } from "./settings.js";

const MAX_EXTRA_DATA_BYTES = 32;
/** `dao-hard-fork`, the extra data of blocks on the forked side of the DAO fork. */
const DAO_EXTRA_DATA = "0x64616f2d686172642d666f726b";
const DAO_EXTRA_DATA_BLOCKS = 10n;

/** The rules of proof-of-work headers, except for their seals. */
export class HeaderRules {
  readonly #forks: EngineContext<EthashSettings>["forks"];
  readonly #fixedDifficulty: bigint | undefined;
  readonly #daoBlock: bigint | undefined;

  constructor({ settings, forks }: Pick<EngineContext<EthashSettings>, "settings" | "forks">) {
    const { fixedDifficulty } = settings;
    this.#forks = forks;
    this.#fixedDifficulty = fixedDifficulty === undefined ? undefined : BigInt(fixedDifficulty);
    this.#daoBlock = forks.activations.find(({ fork }) => fork === "dao")?.value;
  }

  /** Throws if a header breaks a rule. */
  verify(header: Header, parent: Header): void {
    const { number } = header;
    const verify = (rule: string, isKept: boolean, problem: string) => {
      if (!isKept) throw new InvalidBlock(rule, `block ${number}: ${problem}`);
    };
    verify("timestamp", header.timestamp > parent.timestamp, "it is not later than its parent");
    verify("extra-data", header.extraData.length <= MAX_EXTRA_DATA_BYTES, "its extra data is long");
    verify("extra-data", this.#suitsDao(header), "its extra data does not side with the DAO fork");
    verify("fields", header.withdrawalsRoot === undefined, "it has fields of proof of stake");
    const difficulty = this.difficultyOf(header, parent);
    verify("difficulty", header.difficulty === difficulty, `its difficulty is not ${difficulty}`);
  }

  /** The required difficulty of a block. */
  difficultyOf(point: Pick<Header, "number" | "timestamp">, parent: Header): bigint {
    if (this.#fixedDifficulty !== undefined) return this.#fixedDifficulty;
    const fork: Fork = this.#forks.at(point);
    const { timestamp, difficulty, unclesHash } = parent;
    return difficultyOf(
      point,
      { timestamp, difficulty, hasUncles: unclesHash !== NO_UNCLES_HASH },
      fork,
    );
  }

  #suitsDao({ number, extraData }: Header): boolean {
    const first = this.#daoBlock;
    if (first === undefined || first === 0n) return true;
    if (number < first || number >= first + DAO_EXTRA_DATA_BLOCKS) return true;
    return toHex(extraData) === DAO_EXTRA_DATA;
  }
}
