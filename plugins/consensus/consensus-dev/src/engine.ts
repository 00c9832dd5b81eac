import {
  type Address,
  type ConsensusEngine,
  type FieldPresence,
  type Hash,
  type Header,
  InvalidBlock,
  keccakHeader,
  type ProducerHost,
  type SealedHeader,
} from "@plinth/core";
import type { Finalization } from "@plinth/core/consensus";
import type { BlockTime } from "./block-time.js";
import { type HeaderForm, hashInForm } from "./header-forms.js";
import type { NextBlock } from "./next-block.js";
import type { DevProduction } from "./production.js";
import type { StateChanges } from "./state-changes.js";

/** The headers of another network at which a chain begins. */
export interface ForkedHeaders {
  /** The last one. */
  readonly block: number;
  readonly headers: HeaderForm;
}

/** A single node produces every block; there are no seals and no votes. */
export class DevEngine implements ConsensusEngine {
  readonly finality = "instant";
  readonly beginsNow: boolean;
  readonly #production: DevProduction;
  readonly #changes: StateChanges;
  readonly #time: BlockTime;
  readonly #nextBlock: NextBlock;
  readonly #fork: ForkedHeaders | undefined;

  constructor(parts: {
    readonly production: DevProduction;
    readonly changes: StateChanges;
    readonly time: BlockTime;
    readonly nextBlock: NextBlock;
    readonly beginsNow: boolean;
    readonly fork: ForkedHeaders | undefined;
  }) {
    this.beginsNow = parts.beginsNow;
    this.#production = parts.production;
    this.#changes = parts.changes;
    this.#time = parts.time;
    this.#nextBlock = parts.nextBlock;
    this.#fork = parts.fork;
  }

  hashHeader(header: Header): Hash {
    const fork = this.#fork;
    const isOfOther = fork !== undefined && header.number > 0n && header.number <= fork.block;
    return isOfOther ? hashInForm(header, fork.headers) : keccakHeader(header);
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

  /**
   * A block that only changes an account may have the time of its parent, so that no time passes.
   */
  verifyHeader(header: SealedHeader, parent: SealedHeader): void {
    const earliest = this.#changes.isIn(header) ? parent.timestamp : parent.timestamp + 1n;
    if (header.timestamp >= earliest) return;
    throw new InvalidBlock("timestamp", `block ${header.number} is not later than its parent`);
  }

  nextTimestamp(parent: SealedHeader, clock: { now(): number }): bigint {
    return this.#time.peek(clock, parent);
  }

  /** `undefined` while blocks are produced on request only. */
  get periodMs(): ConsensusEngine["periodMs"] {
    const { intervalMs } = this.#production;
    return intervalMs === undefined ? undefined : () => intervalMs;
  }

  /** Time-based forks may occur without a merge; blocks then have their fields or not. */
  forkField(): FieldPresence {
    return "optional";
  }

  /** A test may set any base fee. */
  takesAnyBaseFee(): boolean {
    return true;
  }

  /** A test may set any gas limit. */
  takesAnyGasLimit(): boolean {
    return true;
  }

  prepareHeader(draft: Header): Header {
    return this.#nextBlock.prepare(draft);
  }

  finalize(finalization: Finalization): void {
    this.#changes.apply(finalization);
  }

  produce(host: ProducerHost): Promise<void> {
    return this.#production.run(host);
  }
}
