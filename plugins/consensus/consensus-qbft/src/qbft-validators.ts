import type { Address, ChainReader, Header, SealedHeader } from "@plinth/core";
import type { BlockAuthority, ConfigAt, HeaderAuthority, ValidatorSource } from "@plinth/kit-bft";
import type { AuthorityHistory } from "@plinth/kit-poa";
import type { ContractValidators } from "./contract-validators.js";
import { type SelectionMode, selectionModeAt } from "./selection-mode.js";
import type { QbftSettings, QbftTransition } from "./settings.js";

type Point = Pick<Header, "number" | "timestamp">;

/** Source of the validators of a QBFT chain. */
export interface QbftValidatorsParts {
  readonly settings: QbftSettings;
  readonly config: ConfigAt<QbftTransition>;
  readonly voted: AuthorityHistory;
  readonly contract: ContractValidators;
}

/** The validators of each block, as named by votes or a contract. */
export class QbftValidators implements ValidatorSource {
  readonly #parts: QbftValidatorsParts;

  constructor(parts: QbftValidatorsParts) {
    this.#parts = parts;
  }

  async after(
    parent: SealedHeader,
    chain: Pick<ChainReader, "findHeader">,
  ): Promise<readonly Address[]> {
    const { voted, contract } = this.#parts;
    const mode = this.modeAfter(parent);
    if (mode.kind === "contract") return contract.after(parent, mode.address);
    return voted.after(parent, chain).members;
  }

  async authorityOn(
    parent: SealedHeader,
    timestamp: bigint,
    chain: Pick<ChainReader, "findHeader">,
  ): Promise<BlockAuthority> {
    return {
      validators: await this.after(parent, chain),
      isListed: this.#isListedOn(parent, timestamp),
    };
  }

  authorityByHeaders(
    parent: SealedHeader,
    timestamp: bigint,
    chain: Pick<ChainReader, "findHeader">,
  ): HeaderAuthority {
    // Counted under a contract as well: the chain may return to votes.
    const { members } = this.#parts.voted.after(parent, chain);
    return {
      validators: this.modeAfter(parent).kind === "votes" ? members : undefined,
      isListed: this.#isListedOn(parent, timestamp),
    };
  }

  /** The source of the validators for the block on a parent. */
  modeAfter({ number, timestamp }: Point): SelectionMode {
    return this.modeAt({ number: number + 1n, timestamp });
  }

  /** The source of the validators of a block. */
  modeAt(point: Point): SelectionMode {
    const { settings, config } = this.#parts;
    return selectionModeAt(point, settings, config);
  }

  #isListedOn({ number }: SealedHeader, timestamp: bigint): boolean {
    const scheduled = this.#parts.config.scheduled({ number: number + 1n, timestamp });
    return this.modeAt(scheduled).kind === "votes";
  }
}
