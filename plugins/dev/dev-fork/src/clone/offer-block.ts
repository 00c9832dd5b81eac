import type { SealedHeader } from "@plinth/core";
import type { JoinTarget, OfferedChain } from "@plinth/core/chain";
import { findRemoteBlock, readAncestors } from "../remote/read-chain.js";
import type { Remote } from "../remote/remote.js";

/** A block of another node at which a chain begins. */
export interface BlockOffer {
  readonly remote: Remote;
  readonly header: SealedHeader;
  /** The option that selects it, for messages. */
  readonly option: string;
}

/** A block of another node with the headers that code can read there, and with a state. */
export async function offerBlock(
  { remote, header, option }: BlockOffer,
  { chainId, genesis, signal }: Pick<JoinTarget, "chainId" | "genesis" | "signal">,
  state: Pick<OfferedChain, "parts" | "isStateElsewhere" | "readStates" | "readBlock">,
): Promise<OfferedChain> {
  const ancestors = await readAncestors(remote, header, signal);
  const { totalDifficulty } = (await findRemoteBlock(remote, header.number, signal)) ?? {};
  const headers = [...ancestors, header];
  const known = headers.reduce((sum, { difficulty }) => sum + difficulty, 0n);
  const weight = totalDifficulty ?? known;
  return {
    chainId,
    genesisHash: genesis.header.hash,
    block: header,
    id: `debug ${state.parts.states}`,
    option,
    trust: { validators: [] },
    unproven: { headers, totalDifficulty: weight > known ? weight : known },
    readHeaders: async () => [],
    readCodes: async () => [],
    ...state,
  };
}
