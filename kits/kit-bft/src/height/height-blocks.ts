import {
  type Block,
  type Hash,
  type Header,
  InvalidBlock,
  InvariantError,
  type Logger,
  messageOf,
  type ProducerHost,
  RlpError,
  type SealedHeader,
  StorageError,
} from "@plinth/core";
import type { BuiltBlock } from "@plinth/core/consensus";
import type { BlockForm } from "../blocks/block-form.js";
import type { BlockAuthority, HeaderRules } from "../blocks/header-rules.js";
import { verifyBlockBody } from "../blocks/verify-block-body.js";
import type { ConfigAt } from "../genesis/config-at.js";
import type { BftTransition } from "../genesis/settings.js";
import { Rejected } from "../messages/rejected.js";

/** The dependencies for building and verifying the blocks of a height. */
export interface HeightBlocksParts {
  readonly host: ProducerHost;
  readonly form: BlockForm;
  readonly rules: HeaderRules;
  readonly config: ConfigAt<BftTransition>;
  readonly parent: SealedHeader;
  readonly authorityOn: (timestamp: bigint) => Promise<BlockAuthority>;
  readonly log: Logger;
}

/** The proposed blocks of a height: each is executed once, and the decided one is committed. */
export class HeightBlocks {
  readonly #parts: HeightBlocksParts;
  readonly #executed = new Map<Hash, BuiltBlock>();
  #problem: string | undefined;

  constructor(parts: HeightBlocksParts) {
    this.#parts = parts;
  }

  /** Why the last attempt to build a block failed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Builds a block for a round; `undefined` if it cannot be built. */
  async build(round: number): Promise<Block | undefined> {
    const { host, parent, log, form } = this.#parts;
    const number = parent.number + 1n;
    try {
      const built = await host.build({ parent, timestamp: this.#timestampOf(round) });
      this.#executed.set(form.hashOf(built.block.header), built);
      this.#problem = undefined;
      return built.block;
    } catch (error) {
      if (host.signal.aborted || error instanceof StorageError) throw error;
      this.#problem = messageOf(error);
      // The other validators continue without it.
      log.error(`no block ${number} could be built in round ${round}: ${messageOf(error)}`, {
        error,
      });
      return undefined;
    }
  }

  /** Verifies a proposed block, except for its seals, and executes it; rejects with `Rejected`. */
  async verify(block: Block): Promise<void> {
    const { host, form } = this.#parts;
    // Before the hash is looked up, which proves nothing about the body.
    await verifyBlockBody(block);
    await orReject(async () => {
      const hash = form.hashOf(block.header);
      if (this.#executed.has(hash)) return;
      await this.#verifyRules(block.header);
      this.#executed.set(hash, await host.execute(block));
    });
  }

  /**
   * Verifies the header of a proposed block by the rules of the engine; rejects with `Rejected`.
   */
  async verifyHeader(header: Header): Promise<void> {
    await orReject(() => this.#verifyRules(header));
  }

  /**
   * The executed block of a header, with the round of that header; `undefined` if it was not
   * executed.
   */
  find(header: Header): Block | undefined {
    const { form } = this.#parts;
    const built = this.#executed.get(form.hashOf(header));
    return built && form.withRoundOf(built.block, header);
  }

  /** An executed block by its hash. */
  findByHash(hash: Hash): Block | undefined {
    return this.#executed.get(hash)?.block;
  }

  /**
   * Commits the decided block; if it cannot be imported, that is reported, and it may come from
   * others.
   */
  async commit({ header }: Block): Promise<void> {
    const { host, form, log } = this.#parts;
    const built = this.#executed.get(form.hashOf(header));
    if (built === undefined) {
      throw new InvariantError(`block ${header.number} was decided and never executed here`);
    }
    try {
      await host.submit(built, header);
    } catch (error) {
      if (!(error instanceof InvalidBlock)) throw error;
      log.error(`block ${header.number} was decided, and not imported: ${error.message}`, {
        error,
      });
    }
  }

  async #verifyRules(header: Header): Promise<void> {
    const { rules, parent, authorityOn } = this.#parts;
    rules.verifyUnsealed(header, parent, await authorityOn(header.timestamp));
    rules.verifyTime(header);
  }

  #timestampOf(round: number): bigint {
    const { host, parent, rules } = this.#parts;
    const seconds = host.clock.now() / 1000;
    const now = BigInt(round === 0 ? Math.round(seconds) : Math.floor(seconds));
    const earliest = rules.earliestOn(parent, now);
    return now > earliest ? now : earliest;
  }

  /** While transactions are awaited: how long until there may be a block. */
  msUntilNextAttempt(): number {
    const { host, config, parent } = this.#parts;
    const { blockPeriodSeconds } = config.after(parent);
    return Math.min(this.#emptyDueMs() - host.clock.now(), blockPeriodSeconds * 1000);
  }

  /** Whether there are no transactions, and an empty block is not due. */
  get awaitsTransactions(): boolean {
    const { host, config, parent } = this.#parts;
    const { emptyBlockPeriodSeconds } = config.after(parent);
    const isTooEarly = emptyBlockPeriodSeconds > 0 && host.clock.now() < this.#emptyDueMs();
    return isTooEarly && !host.hasTransactions();
  }

  #emptyDueMs(): number {
    const { config, parent } = this.#parts;
    const { emptyBlockPeriodSeconds } = config.after(parent);
    return (Number(parent.timestamp) + emptyBlockPeriodSeconds) * 1000;
  }
}

async function orReject(verify: () => Promise<void>): Promise<void> {
  try {
    await verify();
  } catch (error) {
    if (error instanceof InvalidBlock) throw new Rejected(error.rule, error.message);
    if (error instanceof RlpError) throw new Rejected("extra-data", error.message);
    throw error;
  }
}
