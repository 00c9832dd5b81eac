import { ConfigError, option } from "@plinth/core";
import type { ExtraDataCodec } from "@plinth/core/consensus";

/** The flags of both commands. */
export const flags = {
  from: option.path({ summary: "Input; standard input by default." }),
  to: option.path({ summary: "Output; standard output by default." }),
  type: option.text({ summary: "Kind of extra data.", default: "IBFT_EXTRA_DATA" }),
};

/** The codec of that type, case-insensitively. */
export function chooseCodec(type: string, codecs: readonly ExtraDataCodec[]): ExtraDataCodec {
  const codec = codecs.find((candidate) => candidate.type.toLowerCase() === type.toLowerCase());
  if (codec !== undefined) return codec;
  const known = codecs.map((candidate) => candidate.type).join(", ");
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--type': expected one of [${known}] (case-insensitive) but was '${type}'`,
    option: "type",
    value: type,
  });
}
