import type { Address } from "@plinth/core";
import { spareSigners } from "./turns.js";

/** What an operator wants to know at the start: how many signers there are, how many may be down, is this one of them. */
export function describeSigners(signers: readonly Address[], own: Address | undefined): string {
  const count = signers.length === 1 ? "1 signer" : `${signers.length} signers`;
  const spare = spareSigners(signers.length);
  const loss =
    spare === 0 ? "all of them are needed" : `up to ${spare} may be down while blocks are made`;
  const role =
    own === undefined
      ? "this node has no key"
      : signers.includes(own)
        ? `this node signs as ${own}`
        : `this node (${own}) is none of them`;
  return `Clique: ${count}, ${signers.length === 0 ? "no block can be made" : loss}; ${role}`;
}
