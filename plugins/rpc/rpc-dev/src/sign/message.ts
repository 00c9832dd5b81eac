import { type Codec, DecodeError, parseHex, toHex } from "@plinth/core";

/** A message to sign: hex data, or text, which is signed as UTF-8. */
export const message: Codec<Uint8Array> = {
  decode(json, path = "") {
    if (typeof json !== "string") throw new DecodeError(path, "hex data or text");
    const bytes = json.startsWith("0x") ? parseHex(json) : undefined;
    return bytes ?? Buffer.from(json);
  },
  encode: toHex,
  schema: { type: "string" },
};
