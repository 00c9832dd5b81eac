import type { ChainReader, SealedHeader } from "@plinth/core";
import { majorityOf, type StandingProposals } from "@plinth/kit-poa";
import type { Clique } from "./api.js";
import type { CliqueSchedule } from "./settings.js";
import { inTurnSigner } from "./signers/signer-turns.js";
import type { Signers } from "./signers/signers.js";

/** The chain, for its RPC methods. */
export function openClique(
  {
    schedule,
    signers,
    proposals,
  }: {
    readonly schedule: CliqueSchedule;
    readonly signers: Signers;
    readonly proposals: StandingProposals;
  },
  chain: Pick<ChainReader, "findHeader">,
): Clique {
  const parentOf = ({ parentHash }: SealedHeader) => chain.findHeader(parentHash);
  return {
    epochLength: schedule.epochLength,
    proposals,
    signerOf: (header) => signers.of(header),
    after: (header) => signers.after(header, chain),
    inTurnSignerOf(header) {
      const parent = parentOf(header);
      return parent && inTurnSigner(header.number, signers.after(parent, chain).members);
    },
    recentBlocks(header) {
      const count = majorityOf(signers.after(header, chain).members.length);
      const recent: { readonly number: bigint; readonly signer: `0x${string}` }[] = [];
      let at: SealedHeader | undefined = header;
      while (recent.length < count && at !== undefined && at.number > 0n) {
        recent.push({ number: at.number, signer: signers.of(at) });
        at = parentOf(at);
      }
      return recent;
    },
  };
}
