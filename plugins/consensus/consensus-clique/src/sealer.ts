import type { Address, Block, ProducerHost, SealedHeader } from "@plinth/core";
import type { ForkRules } from "@plinth/core/consensus";
import { sealHash, withSeal } from "./seal.js";
import type { CliqueSchedule } from "./settings.js";
import type { SignedBlocks } from "./signed-blocks.js";
import { blocksToSkip, inTurnSigner } from "./signers/signer-turns.js";
import type { Signers } from "./signers/signers.js";
import type { Obstacle, SigningStatus } from "./signers/signing-status.js";

/** Interval at which a signer that produces no empty blocks checks for transactions. */
const POLL_MS = 250;
/** Same after a block in which no transaction fit. */
const RETRY_MS = 1000;
/** Maximum random delay of out-of-turn signers, per signer that may sign. */
const WIGGLE_MS = 500;

/** Dependencies of the sealer. */
export interface SealerParts {
  readonly schedule: CliqueSchedule;
  readonly forks: Pick<ForkRules, "isActive">;
  readonly signers: Signers;
  readonly signed: SignedBlocks;
  readonly status: SigningStatus;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

/** Seals a block on each head, as soon as this node may. */
export class Sealer {
  readonly #address: Address;
  readonly #parts: SealerParts;

  constructor(address: Address, parts: SealerParts) {
    this.#address = address;
    this.#parts = parts;
  }

  /** Runs until the signal of the host aborts. */
  async run(host: ProducerHost): Promise<void> {
    await this.#parts.signed.open();
    for await (const parent of host.heads()) {
      const obstacle = this.#findObstacle(parent, host);
      this.#parts.status.update(obstacle);
      if (obstacle === undefined) await this.#sealOn(parent, host);
    }
  }

  #findObstacle(parent: SealedHeader, { chain, clock }: ProducerHost): Obstacle | undefined {
    const { signers, forks } = this.#parts;
    const number = parent.number + 1n;
    const { members } = signers.after(parent, chain);
    if (!members.includes(this.#address)) {
      const text = `${this.#address} is not one of the ${members.length} signers: this node follows the chain`;
      return { kind: "not-a-signer", text };
    }
    if (forks.isActive("shanghai", { number, timestamp: this.#timestampOn(parent, clock.now()) })) {
      return { kind: "fork", text: "Clique ends with Shanghai, which the chain has reached" };
    }
    const held = this.#parts.signed.findObstacle(number);
    if (held !== undefined) return { kind: "signed-before", text: held };
    const recent = signers.findRecentBlock(this.#address, parent, chain);
    if (recent === undefined) return undefined;
    const skip = blocksToSkip(members.length);
    const text = `${this.#address} signed block ${recent} and leaves the next ${skip} to other signers`;
    return { kind: "recently-signed", text };
  }

  /**
   * Seals unless another head makes the block obsolete: an in-turn signer competes with blocks of
   * the same height.
   */
  async #sealOn(parent: SealedHeader, host: ProducerHost): Promise<void> {
    const { members } = this.#parts.signers.after(parent, host.chain);
    const isInTurn = inTurnSigner(parent.number + 1n, members) === this.#address;
    const control = new AbortController();
    const attempt: Attempt = {
      parent,
      host,
      isInTurn,
      signers: members.length,
      signal: AbortSignal.any([host.signal, control.signal]),
      giveUp: () => control.abort(),
      isIdle: false,
    };
    const watched = watchHeads(attempt, control);
    try {
      await this.#attempt(attempt);
    } catch (error) {
      // A new head aborted the attempt; the caller checks for the end of production.
      if (!control.signal.aborted || host.signal.aborted) throw error;
    } finally {
      control.abort();
      await watched;
    }
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { parent, host, signal } = attempt;
    const signed = this.#parts.signed.findOn(parent);
    if (signed !== undefined) return sendAgain(signed, host);
    const { clock, build, sign, submit } = host;
    const { makesEmpty } = this.#parts.schedule.at(parent.number + 1n);
    await sleepUntil(this.#dueMs(parent), clock, signal);
    for (;;) {
      if (!makesEmpty) await untilTransactions(attempt);
      if (!attempt.isInTurn) await clock.sleep(this.#wiggleMs(attempt.signers), signal);
      const timestamp = this.#timestampOn(parent, clock.now());
      const built = await build({ parent, timestamp });
      signal.throwIfAborted();
      const { header, body } = built.block;
      if (makesEmpty || body.transactions.length > 0) {
        const sealed = withSeal(header, await sign(sealHash(header)));
        await this.#parts.signed.add({ header: sealed, body });
        await submit(built, sealed);
        return;
      }
      await idle(attempt, RETRY_MS);
    }
  }

  #dueMs({ number, timestamp }: SealedHeader): number {
    return Number(timestamp + this.#parts.schedule.at(number + 1n).periodSeconds) * 1000;
  }

  #timestampOn(parent: SealedHeader, nowMs: number): bigint {
    return BigInt(Math.floor(Math.max(this.#dueMs(parent), nowMs) / 1000));
  }

  #wiggleMs(signers: number): number {
    return 1 + Math.floor(this.#parts.random() * Math.floor((signers / 2 + 1) * WIGGLE_MS));
  }
}

/** A block that this node is about to produce. */
interface Attempt {
  readonly parent: SealedHeader;
  readonly host: ProducerHost;
  readonly isInTurn: boolean;
  /** Number of signers. */
  readonly signers: number;
  /** Aborts when the block is obsolete. */
  readonly signal: AbortSignal;
  readonly giveUp: () => void;
  /** Whether it waits for transactions: then another block of its height is as good. */
  isIdle: boolean;
}

async function watchHeads(attempt: Attempt, control: AbortController): Promise<void> {
  const { parent, host, isInTurn } = attempt;
  for await (const { hash, number } of host.heads(control.signal)) {
    if (hash === parent.hash) continue;
    const isRival = number === parent.number + 1n;
    if (!(isRival && isInTurn && !attempt.isIdle)) control.abort();
  }
}

async function untilTransactions(attempt: Attempt): Promise<void> {
  while (!attempt.host.hasTransactions()) await idle(attempt, POLL_MS);
}

/**
 * Waits while there is nothing to include. A block of another signer may have included everything.
 */
async function idle(attempt: Attempt, ms: number): Promise<void> {
  const { host, parent, signal } = attempt;
  attempt.isIdle = true;
  if (host.head().hash !== parent.hash) attempt.giveUp();
  await host.clock.sleep(ms, signal);
  attempt.isIdle = false;
}

async function sleepUntil(
  dueMs: number,
  clock: ProducerHost["clock"],
  signal: AbortSignal,
): Promise<void> {
  const ms = dueMs - clock.now();
  if (ms > 0) await clock.sleep(ms, signal);
}

/**
 * The chain does not have the block, or its head was moved back: it is the only one this node may
 * sign here.
 */
async function sendAgain(block: Block, { execute, submit }: ProducerHost): Promise<void> {
  await submit(await execute(block), block.header);
}
