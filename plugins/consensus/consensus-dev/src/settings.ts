import { type Codec, DecodeError, t } from "@plinth/core";
import { HARDFORKS, type Hardfork } from "./hardfork.js";
import { HEADER_FORMS, type HeaderForm } from "./header-forms.js";

const hardfork: Codec<Hardfork> = {
  decode(json, path = "") {
    const found = HARDFORKS.find((name) => name === json);
    if (found !== undefined) return found;
    throw new DecodeError(path, `one of ${HARDFORKS.join(", ")}`);
  },
  encode: (value) => value,
  schema: { type: "string", enum: [...HARDFORKS] },
};

const headerForm: Codec<HeaderForm> = {
  decode(json, path = "") {
    const found = HEADER_FORMS.find((name) => name === json);
    if (found !== undefined) return found;
    throw new DecodeError(path, `one of ${HEADER_FORMS.join(", ")}`);
  },
  encode: (value) => value,
  schema: { type: "string", enum: [...HEADER_FORMS] },
};

/** `config.dev` of the genesis file. */
export const settings = t.object({
  beginsNow: t.optional(t.boolean, false),
  /** The hardfork from block 0 on; by default that of `config`. */
  hardfork: t.optional(hardfork),
  /** Of a fork: up to which block headers are of another network, and how their hashes are computed. */
  fork: t.optional(t.object({ block: t.integer({ min: 1 }), headers: headerForm })),
});
