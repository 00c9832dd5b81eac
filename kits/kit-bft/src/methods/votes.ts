import { method, RpcError, t } from "@plinth/core";
import { effectiveVotes, majorityOf } from "@plinth/kit-poa";
import type { BftCall, BftChain } from "./bft-chain.js";

const VALIDATOR = `0x${"ab".repeat(20)}`;
const VOTER = `0x${"cd".repeat(20)}`;

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

/** `…_getStandingVotes`: the votes of all validators that are counted at the head. */
export const getStandingVotes = method({
  summary:
    "Returns the votes of all validators that are counted and have no majority yet, and how many alike change the validators.",
  result: t.object({
    needed: t.integer({ min: 1 }),
    votes: t.array(
      t.object({ validator: t.address, address: t.address, isFor: t.boolean, block: t.quantity }),
    ),
  }),
  example: {
    params: [],
    result: {
      needed: 3,
      votes: [{ validator: VOTER, address: VALIDATOR, isFor: true, block: "0x1b4" }],
    },
  },
  handle(_, call: BftCall) {
    const counted = getVoted(call).countedAfter(call.chain.blocks.head());
    const votes = effectiveVotes(counted).map(({ voter, candidate, kind, block }) => ({
      validator: voter,
      address: candidate,
      isFor: kind === "add",
      block,
    }));
    return { needed: majorityOf(counted.members.length), votes };
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
