import { type Call, type Method, method, RpcError, t } from "@plinth/core";
import type { BftChain, ChainOf } from "./bft-chain.js";

const VALIDATOR = `0x${"ab".repeat(20)}`;

/** `…_proposeValidatorVote`: votes for a validator, or against one, in the blocks of this node. */
export function proposeValidatorVote<C extends Call>(chainOf: ChainOf<C>): Method<C> {
  return method({
    summary: "Votes in the next blocks of this node to add (true) or remove (false) a validator.",
    params: {
      address: t.address,
      isFor: t.withText(t.boolean, "Invalid vote type params"),
    },
    result: t.boolean,
    example: { params: [VALIDATOR, true], result: true },
    async handle({ address, isFor }, call: C) {
      await getVoted(chainOf, call).proposals.propose({
        candidate: address,
        kind: isFor ? "add" : "drop",
      });
      return true;
    },
  });
}

/** `…_discardValidatorVote`: takes a vote back. */
export function discardValidatorVote<C extends Call>(chainOf: ChainOf<C>): Method<C> {
  return method({
    summary: "Discards the vote of this node about an address; true when there was one.",
    params: { address: t.address },
    result: t.boolean,
    example: { params: [VALIDATOR], result: true },
    async handle({ address }, call: C) {
      const wasThere = await getVoted(chainOf, call).proposals.discard(address);
      return wasThere || call.compatibility.mode === "besu";
    },
  });
}

/** `…_getPendingVotes`: what this node votes for. */
export function getPendingVotes<C extends Call>(chainOf: ChainOf<C>): Method<C> {
  return method({
    summary: "Returns the votes of this node: an address to add (true) or to remove (false).",
    result: t.record(t.boolean),
    example: { params: [], result: { [VALIDATOR]: true } },
    async handle(_, call: C) {
      const standing = await getVoted(chainOf, call).proposals.list();
      return Object.fromEntries(standing.map(({ candidate, kind }) => [candidate, kind === "add"]));
    },
  });
}

/** The chain, where votes decide. */
function getVoted<C extends Call>(chainOf: ChainOf<C>, call: C): BftChain {
  const chain = chainOf(call);
  const head = call.chain.blocks.head();
  const { successor } = chain;
  if (successor !== undefined && head.number + 1n >= successor.block) {
    throw RpcError.methodNotEnabled(
      `${successor.namespace} makes the blocks from ${successor.block} on: use its methods to vote`,
    );
  }
  if (!chain.isContract(head)) return chain;
  throw RpcError.methodNotEnabled("a contract names the validators of this chain, votes do not");
}
