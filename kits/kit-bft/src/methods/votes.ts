import { method, RpcError, t } from "@plinth/core";
import type { BftCall, BftChain } from "./bft-chain.js";

const VALIDATOR = `0x${"ab".repeat(20)}`;

/** `…_proposeValidatorVote`: votes for a validator, or against one, in the blocks of this node. */
export const proposeValidatorVote = method({
  summary: "Votes in the next blocks of this node to add (true) or remove (false) a validator.",
  params: {
    address: t.address,
    isFor: t.withText(t.boolean, "Invalid vote type params"),
  },
  result: t.boolean,
  example: { params: [VALIDATOR, true], result: true },
  async handle({ address, isFor }, call: BftCall) {
    await getVoted(call).proposals.propose({
      candidate: address,
      kind: isFor ? "add" : "drop",
    });
    return true;
  },
});

/** `…_discardValidatorVote`: withdraws a vote. */
export const discardValidatorVote = method({
  summary: "Discards the vote of this node about an address; true if there was one.",
  params: { address: t.address },
  result: t.boolean,
  example: { params: [VALIDATOR], result: true },
  async handle({ address }, call: BftCall) {
    const wasThere = await getVoted(call).proposals.discard(address);
    return wasThere || call.compatibility.mode === "besu";
  },
});

/** `…_getPendingVotes`: the votes of this node. */
export const getPendingVotes = method({
  summary: "Returns the votes of this node: an address to add (true) or to remove (false).",
  result: t.record(t.boolean),
  example: { params: [], result: { [VALIDATOR]: true } },
  async handle(_, call: BftCall) {
    const standing = await getVoted(call).proposals.list();
    return Object.fromEntries(standing.map(({ candidate, kind }) => [candidate, kind === "add"]));
  },
});

/** The chain, if votes determine its validators. */
function getVoted({ bft, chain }: BftCall): BftChain {
  const head = chain.blocks.head();
  const { successor } = bft;
  if (successor !== undefined && head.number + 1n >= successor.block) {
    throw RpcError.methodNotEnabled(
      `${successor.namespace} produces the blocks from ${successor.block} on: use its methods to vote`,
    );
  }
  if (!bft.isContract(head)) return bft;
  throw RpcError.methodNotEnabled(
    "a contract determines the validators of this chain, votes do not",
  );
}
