import { type Block, type BlockReader, messageOf, type SealedHeader } from "@plinth/core";
import { SourceProblem } from "../source/source-problem.js";

/** The header of a block that a source sent, with its hash; throws `SourceProblem` if the engine cannot read it. */
export function sealSent(
  chain: Pick<BlockReader, "seal">,
  { header }: Block,
  { name, sequence }: { readonly name: string; readonly sequence: bigint },
): SealedHeader {
  try {
    return chain.seal(header);
  } catch (cause) {
    const problem = `record ${sequence}: its header cannot be read: ${messageOf(cause)}`;
    throw new SourceProblem(name, problem, { cause });
  }
}
