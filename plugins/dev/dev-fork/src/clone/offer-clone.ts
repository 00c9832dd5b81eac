import type { JoinTarget, OfferedChain } from "@plinth/core/chain";
import { RemoteRefusal } from "../remote/errors.js";
import { readBody } from "../remote/read-chain.js";
import { isWithoutMethod } from "../remote/refusals.js";
import type { CloneProgress } from "./clone-progress.js";
import { CloneSource, withoutMethod } from "./clone-source.js";
import { type BlockOffer, offerBlock } from "./offer-block.js";
import { STATE_PARTS, StateReader } from "./state-reader.js";

/** The inputs of a clone that a database joins. */
export interface CloneOffer extends BlockOffer {
  readonly progress: CloneProgress;
  /** Called before each part of the state is read. */
  readonly onPart?: (part: number) => void;
}

/** The state of a block of another node, with the headers that code can read there. */
export async function offerClone(
  offer: CloneOffer,
  target: Pick<JoinTarget, "chainId" | "genesis" | "signal">,
): Promise<OfferedChain> {
  const { remote, header, progress, onPart } = offer;
  const { signal } = target;
  const content = await readBody(remote, header, signal).catch((error: unknown) => {
    const isWithout = error instanceof RemoteRefusal && isWithoutMethod(error);
    throw isWithout ? withoutMethod(remote.name, error) : error;
  });
  const source = new CloneSource(remote, { header, body: content.body, signal });
  const states = new StateReader(source, progress);
  return offerBlock(offer, target, {
    parts: { headers: 0, codes: 0, states: STATE_PARTS },
    readStates(part) {
      onPart?.(part);
      return states.read(part);
    },
    readBlock: async () => content,
  });
}
