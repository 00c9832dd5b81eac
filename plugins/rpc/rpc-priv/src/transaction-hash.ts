import { type Codec, type Compatibility, DecodeError, type Hash, RpcError, t } from "@plinth/core";

/**
 * The hash of a marker, for the method whose errors clients check.
 *
 * web3js-quorum expects the plain text if the hash is missing; Besu names the hash.
 */
export const transactionHash: Codec<unknown> & {
  read(json: unknown, compatibility: Compatibility): Hash;
} = {
  decode: (json) => json,
  encode: (value) => value,
  schema: t.hash.schema,
  missing: { value: undefined },
  read(json, { reading, hasBareErrors, mode }) {
    try {
      return t.hash.decode(json, "transaction", reading);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const isBesu = hasBareErrors && mode === "besu";
      throw RpcError.invalidParams(isBesu ? error.text : "Invalid params");
    }
  },
};
