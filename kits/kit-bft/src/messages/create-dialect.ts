import type { Block } from "@plinth/core";
import type { BlockForm } from "../blocks/block-form.js";
import type { Dialect, Sign } from "./dialect.js";
import { createReading, type ReadingParts } from "./message-reading.js";
import type { Prepared, Proposal, RoundChange, RoundId } from "./messages.js";

/** What differs between the dialects of engines. */
export interface DialectParts<P extends Proposal, R extends RoundChange>
  extends ReadingParts<P, R>,
    Pick<
      Dialect<P, R>,
      | "proposerPrepares"
      | "awaitsPeriod"
      | "withRound"
      | "proposedAgain"
      | "isAccepted"
      | "verifyProposalOutline"
      | "verifyRoundChangeOutline"
    > {
  readonly form: BlockForm;
  signProposal(id: RoundId, block: Block, reasons: readonly R[], sign: Sign): Promise<Uint8Array>;
  signRoundChange(id: RoundId, prepared: Prepared | undefined, sign: Sign): Promise<Uint8Array>;
  /** Verifies the block of a round change, instead of the full verification of a proposed one. */
  verifyPrepared?(block: Block): Promise<void>;
}

/** The dialect of an engine. */
export function createDialect<P extends Proposal, R extends RoundChange>({
  form,
  messages,
  readProposal,
  readRoundChange,
  signProposal,
  signRoundChange,
  verifyPrepared,
  ...own
}: DialectParts<P, R>): Dialect<P, R> {
  const reading = createReading({ messages, readProposal, readRoundChange });
  const { votes } = messages;
  return {
    ...own,
    engine: form.codec.title,
    ...reading.methods,
    sealHashOf: ({ header }, round) => form.sealHashOf(header, round),
    withSeals: (block, round, seals) => form.withSeals(block, round, seals),
    createProposal: async (...given) => reading.readOwnProposal(await signProposal(...given)),
    createPrepare: (id, digest, sign) => votes.createPrepare(id, digest, sign),
    createCommit: (id, content, sign) => votes.createCommit(id, content, sign),
    createRoundChange: async (...given) =>
      reading.readOwnRoundChange(await signRoundChange(...given)),
    async verifyProposal(proposal, facts, verifyBlock) {
      own.verifyProposalOutline(proposal, facts);
      await verifyBlock(proposal.block);
    },
    async verifyRoundChange(message, facts, verifyBlock) {
      own.verifyRoundChangeOutline(message, facts);
      if (message.block !== undefined) await (verifyPrepared ?? verifyBlock)(message.block);
    },
  };
}
