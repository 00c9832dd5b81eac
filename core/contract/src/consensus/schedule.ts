import type { Block, SealedBlock } from "../blocks/block.js";
import type { Header, SealedHeader } from "../blocks/header.js";
import type { Fork } from "../evm/fork.js";
import type { Clock } from "../kernel/clock.js";
import type { Address, Hash } from "../primitives/hex.js";
import type {
  BlockReward,
  ChainReader,
  ConsensusEngine,
  FieldPresence,
  Finality,
  Finalization,
  ForkField,
  ProducerHost,
  WeighedHeader,
} from "./engine.js";
import type { ForkPoint } from "./fork-rules.js";
import type { ProveHeaders } from "./header-proof.js";
import { HeaderProofChain } from "./header-proof-chain.js";
import { produceUntil } from "./produce-until.js";

/** An engine and its first block. */
export interface EngineStage {
  readonly engine: ConsensusEngine;
  readonly startBlock: bigint;
  /** If two start at the same block, the lower one is used. */
  readonly precedence: number;
}

/** The engine after the merge, and what triggers the merge. */
export interface Merge {
  readonly engine: ConsensusEngine;
  /** The terminal total difficulty. */
  readonly totalDifficulty?: bigint;
  /** The merge time; used if no total difficulty is given. */
  readonly time?: bigint;
}

/** The position of a block, as far as it selects the engine. */
type Point = Pick<Header, "number" | "timestamp">;

/** Several engines, each for a range of blocks, behind the interface of one. */
export class EngineSchedule implements ConsensusEngine {
  /** Sorted so that the stage of a block is found first. */
  readonly #stages: readonly EngineStage[];
  readonly #merge: Merge | undefined;

  constructor(stages: readonly EngineStage[], merge?: Merge) {
    this.#stages = [...stages].sort(
      (a, b) => Number(b.startBlock - a.startBlock) || a.precedence - b.precedence,
    );
    this.#merge = merge;
  }

  /** The finality of the last engine before a merge. */
  get finality(): Finality {
    return this.#stages[0]?.engine.finality ?? "eventual";
  }

  get beginsNow(): boolean {
    return this.#stages.some(({ engine, startBlock }) => startBlock === 0n && engine.beginsNow);
  }

  /** The engine whose rules a block on such a parent must satisfy. */
  engineFor(point: Point, parentTotalDifficulty: bigint): ConsensusEngine {
    return this.#choose(point, (limit) => parentTotalDifficulty >= limit);
  }

  hashHeader(header: Header): Hash {
    return this.#engineOf(header).hashHeader(header);
  }

  author(header: Header): Address {
    return this.#engineOf(header).author(header);
  }

  feeRecipient(header: Header): Address {
    return this.#engineOf(header).feeRecipient(header);
  }

  lacksSeal(header: Header): boolean {
    return this.#engineOf(header).lacksSeal?.(header) ?? false;
  }

  takesAnyBaseFee(header: Header): boolean {
    return this.#engineOf(header).takesAnyBaseFee?.(header) ?? false;
  }

  maxTransactionGas(point: ForkPoint): bigint | undefined {
    return this.#engineOf(point).maxTransactionGas?.(point);
  }

  takesAnyGasLimit(header: Header): boolean {
    return this.#engineOf(header).takesAnyGasLimit?.(header) ?? false;
  }

  verifyHeader(header: SealedHeader, parent: SealedHeader, chain: ChainReader) {
    return this.#engineOn(parent, header, chain).verifyHeader(header, parent, chain);
  }

  verifyBlock(block: SealedBlock, parent: SealedHeader, chain: ChainReader) {
    return this.#engineOn(parent, block.header, chain).verifyBlock?.(block, parent, chain);
  }

  nextTimestamp(parent: SealedHeader, clock: Pick<Clock, "now">): bigint | undefined {
    return this.#engineOf(parent).nextTimestamp?.(parent, clock);
  }

  /** Undefined if no engine has one. */
  get periodMs(): ConsensusEngine["periodMs"] {
    if (!this.#stages.some(({ engine }) => engine.periodMs !== undefined)) return undefined;
    return (parent) => this.#engineOf(parent).periodMs?.(parent);
  }

  emptyPeriodMs(parent: SealedHeader): number | undefined {
    return this.#engineOf(parent).emptyPeriodMs?.(parent);
  }

  makesEmptyBlocks(parent: SealedHeader): boolean {
    return this.#engineOf(parent).makesEmptyBlocks?.(parent) ?? true;
  }

  forkField(field: ForkField, header: Header): FieldPresence {
    return this.#engineOf(header).forkField?.(field, header) ?? "required";
  }

  prepareHeader(draft: Header, parent: SealedHeader, chain: ChainReader) {
    return this.#engineOn(parent, draft, chain).prepareHeader(draft, parent, chain);
  }

  finalize(finalization: Finalization): void {
    this.#engineOf(finalization.block.header).finalize?.(finalization);
  }

  blockReward(header: Header, fork: Fork): bigint {
    return this.#engineOf(header).blockReward?.(header, fork) ?? 0n;
  }

  rewards(block: Block, fork: Fork): readonly BlockReward[] {
    return this.#engineOf(block.header).rewards?.(block, fork) ?? [];
  }

  /** A block after the merge is better than any before it. */
  prefers(candidate: WeighedHeader, head: WeighedHeader): boolean {
    const engine = this.#engineOf(candidate.header);
    const [isMerged, wasMerged] = [candidate, head].map(
      ({ header }) => this.#engineOf(header) === this.#merge?.engine,
    );
    if (isMerged !== wasMerged) return isMerged === true;
    return engine.prefers?.(candidate, head) ?? candidate.totalDifficulty > head.totalDifficulty;
  }

  /** Undefined if an engine has none. */
  get proveHeaders(): ProveHeaders | undefined {
    const engines = [...this.#stages.map(({ engine }) => engine), this.#merge?.engine];
    if (engines.some((engine) => engine !== undefined && engine.proveHeaders === undefined)) {
      return undefined;
    }
    return (start, trust) => {
      let current: ConsensusEngine | undefined;
      return new HeaderProofChain(start, (header, last) => {
        const engine = this.#engineOf(header);
        if (engine === current) return undefined;
        current = engine;
        return engine.proveHeaders?.(last, trust);
      });
    };
  }

  /**
   * Lets each engine produce while the next block is its own, whether this node produces it or not.
   */
  async produce(host: ProducerHost): Promise<void> {
    const engineAt = (parent: SealedHeader, timestamp: bigint) =>
      this.#engineOn(parent, { number: parent.number + 1n, timestamp }, host.chain);
    let timestamp = nextTimestamp(host.head(), host.clock);
    while (!host.signal.aborted) {
      const engine = engineAt(host.head(), timestamp);
      const replacedAt = await produceUntil(engine, host, {
        isLast: this.#isLast(engine),
        isReplaced: (parent, time) => engineAt(parent, time) !== engine,
      });
      if (replacedAt === undefined) return;
      timestamp = replacedAt;
    }
  }

  #isLast(engine: ConsensusEngine): boolean {
    return engine === (this.#merge?.engine ?? this.#stages[0]?.engine);
  }

  #engineOn(parent: SealedHeader, point: Point, chain: ChainReader): ConsensusEngine {
    return this.engineFor(point, chain.findTotalDifficulty(parent.hash) ?? 0n);
  }

  /** By the header alone: only blocks after a merge by total difficulty have no difficulty. */
  #engineOf(point: ForkPoint): ConsensusEngine {
    return this.#choose(point, () => point.difficulty === 0n && point.number > 0n);
  }

  #choose(point: Point, isHeavy: (limit: bigint) => boolean): ConsensusEngine {
    if (this.#merge === undefined) return this.#stageOf(point);
    const { engine, totalDifficulty, time } = this.#merge;
    const isMerged =
      totalDifficulty === undefined
        ? time !== undefined && point.number > 0n && point.timestamp >= time
        : isHeavy(totalDifficulty);
    return isMerged ? engine : this.#stageOf(point);
  }

  #stageOf({ number }: Point): ConsensusEngine {
    const stage = this.#stages.find(({ startBlock }) => startBlock <= number);
    if (stage === undefined)
      throw new RangeError(`no consensus engine is configured for block ${number}`);
    return stage.engine;
  }
}

function nextTimestamp({ timestamp }: SealedHeader, clock: Pick<Clock, "now">): bigint {
  const now = BigInt(Math.floor(clock.now() / 1000));
  return now > timestamp ? now : timestamp + 1n;
}
