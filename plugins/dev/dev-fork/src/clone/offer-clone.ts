import type { SealedHeader } from "@plinth/core";
import type { JoinTarget, OfferedChain } from "@plinth/core/chain";
import { findRemoteBlock, readAncestors, readBody } from "../remote/read-chain.js";
import type { Remote } from "../remote/remote.js";
import type { CloneProgress } from "./clone-progress.js";
import { CloneSource } from "./clone-source.js";
import { STATE_PARTS, StateReader } from "./state-reader.js";

/** The inputs of a clone that a database joins. */
export interface CloneOffer {
  readonly remote: Remote;
  /** Of the block to clone. */
  readonly header: SealedHeader;
  readonly progress: CloneProgress;
  /** The option that selects the clone, for messages. */
  readonly option: string;
  /** Called before each part of the state is read. */
  readonly onPart?: (part: number) => void;
}

/** The state of a block of another node, with the headers that code can read there. */
export async function offerClone(
  { remote, header, progress, option, onPart }: CloneOffer,
  { chainId, genesis, signal }: Pick<JoinTarget, "chainId" | "genesis" | "signal">,
): Promise<OfferedChain> {
  const ancestors = await readAncestors(remote, header, signal);
  const content = await readBody(remote, header, signal);
  const { totalDifficulty } = (await findRemoteBlock(remote, header.number, signal)) ?? {};
  const source = new CloneSource(remote, { header, body: content.body, signal });
  const states = new StateReader(source, progress);
  const headers = [...ancestors, header];
  const known = headers.reduce((sum, { difficulty }) => sum + difficulty, 0n);
  const weight = totalDifficulty ?? known;
  return {
    chainId,
    genesisHash: genesis.header.hash,
    block: header,
    id: `debug ${STATE_PARTS}`,
    parts: { headers: 0, codes: 0, states: STATE_PARTS },
    option,
    trust: { validators: [] },
    unproven: { headers, totalDifficulty: weight > known ? weight : known },
    readHeaders: async () => [],
    readCodes: async () => [],
    readStates(part) {
      onPart?.(part);
      return states.read(part);
    },
    readBlock: async () => content,
  };
}
