import { type CommandIo, messageOf, type OptionValues, option, parseHex } from "@plinth/core";
import { invalidOption, missingOption } from "./option-errors.js";

/** The data of a private transaction. */
export const dataFlags = {
  data: option.hex({ summary: "Call data, or the code that creates a contract." }),
  dataFile: option.path({
    summary: "File with it in hex, such as the .bin file of a compiler, instead of --data.",
  }),
};

/** Reads the data from the given option. */
export async function readData(
  { data, dataFile }: OptionValues<typeof dataFlags>,
  io: Pick<CommandIo, "read">,
): Promise<Uint8Array> {
  if (data !== undefined && dataFile !== undefined) {
    throw invalidOption("data-file", "--data is given, too; remove one of them");
  }
  if (data !== undefined) return data;
  if (dataFile === undefined) throw missingOption("--data=<HEX>", " or '--data-file=<PATH>'");
  const text = await io.read(dataFile).catch((cause: unknown) => {
    throw invalidOption("data-file", `${dataFile} cannot be read: ${messageOf(cause)}`);
  });
  const bytes = parseHex(text.trim());
  if (bytes !== undefined) return bytes;
  throw invalidOption(
    "data-file",
    `${dataFile} is not hex; expected pairs of hex digits, with or without 0x`,
  );
}
