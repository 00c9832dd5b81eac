import type { EngineContext } from "@plinth/core";
import { type Bft, type BftParts, createBft } from "@plinth/kit-bft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import type { QbftChain } from "./api.js";
import { ContractValidators } from "./contract-validators.js";
import { qbftExtraData } from "./extra-data.js";
import { QbftValidators } from "./qbft-validators.js";
import { verifyModes } from "./selection-mode.js";
import type { QbftSettings, QbftTransition } from "./settings.js";

/** QBFT on one chain. */
export interface Qbft extends Bft<QbftChain> {
  /** The first block of QBFT. */
  readonly startBlock: bigint;
}

/** Creates QBFT for a genesis file. */
export function createQbft(
  context: EngineContext<QbftSettings, QbftTransition>,
  parts: BftParts,
): Qbft {
  const { settings, transitions } = context;
  const startBlock = BigInt(settings.startBlock ?? 0);
  verifyModes(transitions);
  const contract = new ContractValidators(context.chain);
  const { consensus, chain, source } = createBft(context, parts, {
    isStrict: false,
    validators: (config, voted) => new QbftValidators({ settings, config, voted, contract }),
    // On a chain that migrates to QBFT, IBFT 2.0 produced the earlier blocks.
    ...(startBlock > 0n && { before: { codec: ibftExtraData, startBlock } }),
  });
  return {
    consensus,
    startBlock,
    chain: {
      ...chain,
      requestTimeoutSeconds: settings.requestTimeoutSeconds,
      isContract: (header) => source.modeAfter(header).kind === "contract",
      // If a contract names the validators of a block, its header lists none: callers see the
      // result of the contract after it.
      validatorsAt: (header) => {
        const isOwn = header.number >= startBlock;
        const mode = source.modeAt(header);
        if (mode.kind === "contract" && isOwn) return contract.after(header, mode.address);
        const codec = isOwn ? qbftExtraData : ibftExtraData;
        return [...codec.decodeValidators(header.extraData)].sort();
      },
    },
  };
}
