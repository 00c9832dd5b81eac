import { type Codec, DecodeError, t } from "@plinth/core";
import { HARDFORKS, type Hardfork } from "./hardfork.js";
import { headerForm } from "./header-forms.js";

const hardfork: Codec<Hardfork> = {
  decode(json, path = "") {
    const found = HARDFORKS.find((name) => name === json);
    if (found !== undefined) return found;
    throw new DecodeError(path, `one of ${HARDFORKS.join(", ")}`);
  },
  encode: (value) => value,
  schema: { type: "string", enum: [...HARDFORKS] },
};

/** `config.dev` of the genesis file. */
export const settings = t.object({
  beginsNow: t.optional(t.boolean, false),
  /** The hardfork from block 0 on; by default that of `config`. */
  hardfork: t.optional(hardfork),
  /** Of a fork: up to which block headers are of another network, and how their hashes are computed. */
  fork: t.optional(t.object({ block: t.integer({ min: 0 }), headers: headerForm })),
});
