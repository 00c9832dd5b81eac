import { type Codec, t } from "@plinth/core";
import type { Authorization } from "@plinth/core/blocks";

const fields = t.object({
  chainId: t.wei,
  address: t.address,
  nonce: t.wei,
  yParity: t.optional(t.wei),
  v: t.optional(t.wei),
  r: t.wei,
  s: t.wei,
});

/**
 * EIP-7702: an account that delegates to the code of another; some clients send `v` instead of
 * `yParity`.
 */
export const authorization: Codec<Authorization> = {
  decode(json, path = "", reading) {
    const { yParity, v, ...rest } = fields.decode(json, path, reading);
    return { ...rest, yParity: yParity ?? v ?? 0n };
  },
  encode: (value) => fields.encode({ ...value, v: undefined }),
  schema: fields.schema,
};
