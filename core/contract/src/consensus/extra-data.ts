import { defineContributionPoint } from "../kernel/contributions.js";
import type { Address } from "../primitives/hex.js";

/** How an engine encodes its validators into the extra data of a block. */
export interface ExtraDataCodec {
  /** The name by which tools select it. */
  readonly type: string;
  /**
   * The key of its engine under `config` of the genesis file; if omitted, tools complete no file
   * with it.
   */
  readonly engine?: string;
  /** The extra data of a genesis block with these validators, in this order. */
  encodeGenesis(validators: readonly Address[]): Uint8Array;
  /** The validators encoded in extra data; throws `RlpError` if it is malformed. */
  decodeValidators(extraData: Uint8Array): readonly Address[];
}

/** The contribution point of extra data codecs, for tools that create genesis files. */
export const extraDataCodecs = defineContributionPoint<ExtraDataCodec>("consensus.extra-data", {
  summary: "How an engine encodes its validators into the extra data of a genesis block.",
  key: { label: "extra-data type", of: ({ type }) => type },
});
