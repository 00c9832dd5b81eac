import { ConfigError, command, messageOf, PlinthError, parseHex } from "@plinth/core";
import { extraDataCodecs } from "@plinth/core/consensus";
import { chooseCodec, flags } from "./flags.js";

/** `rlp decode`: extra data → the validators it names. */
export const decode = command({
  id: "rlp decode",
  summary: "Lists the validators in extra data.",
  examples: ["plinth rlp decode --from=extra-data.txt --type=QBFT_EXTRA_DATA"],
  flags,
  uses: { points: [extraDataCodecs] },
  async run({ flags: { from, to, type }, io, contributions }) {
    const codec = chooseCodec(type, contributions(extraDataCodecs));
    const text = await io.read(from).catch((cause: unknown) => {
      throw new PlinthError("INPUT_UNREADABLE", {
        message: `Unable to read input file. ${from}`,
        cause,
      });
    });
    const line = text.split("\n")[0]?.trim() ?? "";
    if (line === "") throw emptyInput(from);
    const extraData = parseHex(line);
    if (extraData === undefined) {
      throw new PlinthError("INPUT_INVALID", {
        message: "the input is not hex; expected the extra data of a block",
      });
    }
    const list = `[${decodeWith(() => codec.decodeValidators(extraData)).join(", ")}]`;
    await io.write(list, to).catch((cause: unknown) => {
      const message = `An error occurred while trying to write the validator list. ${to}`;
      throw new ConfigError("OUTPUT_UNWRITABLE", { message, cause });
    });
  },
});

function decodeWith<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new PlinthError("INPUT_INVALID", { message: messageOf(cause), cause });
  }
}

function emptyInput(from: string | undefined): ConfigError {
  return new ConfigError("INPUT_INVALID", {
    message:
      from === undefined
        ? "Unable to read input data."
        : "An error occurred while trying to read the input data.",
  });
}
