import { RlpError } from "@plinth/core";
import { runInTurns, runSteps, type Steps } from "@plinth/core/async";
import type { MessageForm } from "./message-form.js";
import type { BftMessage, Envelope, Proposal, RoundChange } from "./messages.js";
import { anySigners, type NestedSigners } from "./nested-signers.js";
import { type Outline, readWhole } from "./outline.js";
import { readFirst } from "./read-items.js";

/** How an engine decodes messages whose author is known. */
export interface ReadingParts<P extends Proposal, R extends RoundChange> {
  readonly messages: MessageForm;
  readonly readProposal: (envelope: Envelope, signers: NestedSigners) => Steps<Outline<P>>;
  readonly readRoundChange: (envelope: Envelope, signers: NestedSigners) => Steps<Outline<R>>;
}

/** Decodes messages in steps: the envelope first, then everything but its body, then all. */
export function createReading<P extends Proposal, R extends RoundChange>({
  messages: { codes, payloads, votes },
  readProposal,
  readRoundChange,
}: ReadingParts<P, R>) {
  const kinds = new Map<number, BftMessage["kind"]>([
    [codes.proposal, "proposal"],
    [codes.prepare, "prepare"],
    [codes.commit, "commit"],
    [codes.roundChange, "round-change"],
  ]);
  const getKind = (code: number) => {
    const kind = kinds.get(code);
    if (kind !== undefined) return kind;
    throw new RlpError(`no message has the code ${code}`);
  };
  function* read(envelope: Envelope, signers: NestedSigners): Steps<Outline<BftMessage<P, R>>> {
    const { kind } = envelope;
    if (kind === "prepare") return { message: votes.readPrepare(envelope), block: undefined };
    if (kind === "commit") return { message: votes.readCommit(envelope), block: undefined };
    return yield* kind === "proposal"
      ? readProposal(envelope, signers)
      : readRoundChange(envelope, signers);
  }
  async function open(code: number, bytes: Uint8Array): Promise<Envelope> {
    const kind = getKind(code);
    const { height, round, author } = await payloads.open(kind, code, signedOf(kind, bytes));
    return { kind, code, height, round, author, bytes };
  }
  function decode(code: number, bytes: Uint8Array, maxAuthors?: number): BftMessage<P, R> {
    const kind = getKind(code);
    const signers = anySigners(maxAuthors);
    const { height, round, author } = payloads.openNow(kind, code, signedOf(kind, bytes), signers);
    const envelope = { kind, code, height, round, author, bytes };
    return runSteps(readAll(read(envelope, signers)));
  }
  return {
    methods: { kindOf: (code: number) => kinds.get(code), open, read, decode },
    readOwnProposal: async (bytes: Uint8Array) =>
      runInTurns(readAll(readProposal(await open(codes.proposal, bytes), anySigners())), {
        lane: "chain",
      }),
    readOwnRoundChange: async (bytes: Uint8Array) =>
      runInTurns(readAll(readRoundChange(await open(codes.roundChange, bytes), anySigners())), {
        lane: "chain",
      }),
  };
}

function* readAll<M extends BftMessage>(outline: Steps<Outline<M>>): Steps<M> {
  return yield* readWhole(yield* outline);
}

/** Prepares and commits are signed as a whole; of the others only the first item is. */
function signedOf(kind: BftMessage["kind"], bytes: Uint8Array): Uint8Array {
  return kind === "prepare" || kind === "commit" ? bytes : readFirst(kind, bytes);
}
