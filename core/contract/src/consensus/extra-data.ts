import { defineContributionPoint } from "../kernel/contributions.js";
import type { Address } from "../primitives/hex.js";

/** How an engine writes its validators into the extra data of a block. */
export interface ExtraDataCodec {
  /** The name that tools choose it by. */
  readonly type: string;
  /** The key of its engine under `config` of the genesis file; no file is completed with it when left out. */
  readonly engine?: string;
  /** The extra data of a genesis block with these validators, in this order. */
  encodeGenesis(validators: readonly Address[]): Uint8Array;
  /** The validators that extra data names; throws `RlpError` when it is something else. */
  decodeValidators(extraData: Uint8Array): readonly Address[];
}

/** Where engines put their codecs for the tools that make genesis files. */
export const extraDataCodecs = defineContributionPoint<ExtraDataCodec>("consensus.extra-data", {
  summary: "How an engine writes its validators into the extra data of a genesis block.",
  key: { label: "extra-data type", of: ({ type }) => type },
});
