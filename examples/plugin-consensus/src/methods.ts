import { method, type Runtime, t } from "@plinth/core";
import type { Authorities } from "./authorities.js";
import type { Proposals } from "./proposals.js";

/** `turns_authorities`: the authorities after a block. */
export const authorities = (source: () => Authorities) =>
  method({
    summary: "Lists the authorities after the latest block, in the order of their turns.",
    result: t.array(t.address),
    handle: (_, { chain: { blocks } }: Runtime) => source().after(blocks.head(), blocks),
  });

/** `turns_propose`: votes for or against an authority in the next blocks of this node. */
export const propose = (proposals: Proposals) =>
  method({
    summary: "Votes for (true) or against (false) an authority in the next blocks of this node.",
    params: { candidate: t.address, isFor: t.boolean },
    result: t.boolean,
    async handle({ candidate, isFor }) {
      await proposals.set({ candidate, isFor });
      return true;
    },
  });

/** `turns_discard`: withdraws the vote. */
export const discard = (proposals: Proposals) =>
  method({
    summary: "Withdraws the vote of this node.",
    result: t.boolean,
    async handle() {
      await proposals.set(undefined);
      return true;
    },
  });
