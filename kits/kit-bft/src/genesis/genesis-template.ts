import type { GenesisTemplate } from "@plinth/core/consensus";
import type { BftExtraDataCodec } from "../blocks/extra-data.js";
import { BFT_MIX_HASH } from "../blocks/header-rules.js";
import { quorumOf } from "../height/quorum.js";

const EPOCH_LENGTH = 30_000;

/** The description of a BFT engine. */
export interface BftTemplateSettings extends Pick<GenesisTemplate, "namespace"> {
  readonly codec: BftExtraDataCodec;
  /** How long round 0 lasts. */
  readonly requestTimeoutSeconds: (periodSeconds: number) => number;
}

/** The genesis file of a network with a BFT engine. */
export function createGenesisTemplate({
  namespace,
  codec,
  requestTimeoutSeconds,
}: BftTemplateSettings): GenesisTemplate {
  return {
    engine: codec.engine,
    title: codec.title,
    namespace,
    forks: { berlinBlock: 0, londonBlock: 0, shanghaiTime: 0, cancunTime: 0 },
    settings: ({ periodSeconds }) => ({
      blockperiodseconds: periodSeconds,
      epochlength: EPOCH_LENGTH,
      requesttimeoutseconds: requestTimeoutSeconds(periodSeconds),
    }),
    members: { difficulty: "0x1", mixHash: BFT_MIX_HASH },
    encodeExtraData: (validators) => codec.encodeGenesis(validators),
    voteMethod: `${namespace}_proposeValidatorVote`,
    mayBeDown: (validators) => validators - quorumOf(validators),
    findRound: (extraData) => codec.decode(extraData).round,
  };
}
