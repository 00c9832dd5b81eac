import { type Codec, DecodeError, t } from "@plinth/core";

/** The id of a filter; any text may be one. */
export const filterId: Codec<string> = {
  ...t.text,
  decode(json, path = "") {
    if (typeof json === "string") return json;
    throw new DecodeError(path, "the id of a filter", "Invalid filter params");
  },
};
