import {
  type Codec,
  DecodeError,
  method,
  parseHex,
  type Runtime,
  t,
  toHex,
  withoutPrefix,
} from "@plinth/core";
import { MAX_EXTRA_BYTES } from "@plinth/core/consensus";
import { readParam } from "../amount.js";

/** At most 32 bytes; an odd number of digits is left-padded. */
const extraData: Codec<Uint8Array> = {
  decode(json, path = "") {
    const digits = typeof json === "string" ? withoutPrefix(json) : "odd";
    const bytes = parseHex(digits.length % 2 === 0 ? digits : `0${digits}`);
    if (bytes !== undefined && bytes.length <= MAX_EXTRA_BYTES) return bytes;
    throw new DecodeError(path, `hex of at most ${MAX_EXTRA_BYTES} bytes`);
  },
  encode: toHex,
  schema: { type: "string" },
};

/** `miner_setExtraData`: sets the extra data of further blocks. */
export const setExtraData = method({
  summary: "Sets the extra data of blocks from this node.",
  params: { data: t.optional(t.json) },
  result: t.boolean,
  example: { params: ["0x706c696e7468"], result: true },
  handle({ data }, runtime: Runtime) {
    const bytes = readParam(extraData, data, "Invalid extra data params");
    runtime.building.extraData = bytes;
    return true;
  },
});
