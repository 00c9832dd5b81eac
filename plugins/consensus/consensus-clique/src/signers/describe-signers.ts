import type { Address } from "@plinth/core";
import { spareSigners } from "./signer-turns.js";

/**
 * Summary at the start: number of signers, how many may be down, and whether this node is one of
 * them.
 */
export function describeSigners(signers: readonly Address[], own: Address | undefined): string {
  const count = signers.length === 1 ? "1 signer" : `${signers.length} signers`;
  const spare = spareSigners(signers.length);
  const loss =
    spare === 0 ? "all of them are needed" : `up to ${spare} may be down while blocks are produced`;
  const role =
    own === undefined
      ? "this node has no key"
      : signers.includes(own)
        ? `this node signs as ${own}`
        : `this node (${own}) is not one of them`;
  return `Clique: ${count}, ${signers.length === 0 ? "no block can be produced" : loss}; ${role}`;
}
