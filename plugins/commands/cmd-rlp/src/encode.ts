import {
  type Address,
  ConfigError,
  command,
  PlinthError,
  toHex,
  withoutPrefix,
} from "@plinth/core";
import { extraDataCodecs } from "@plinth/core/consensus";
import { chooseCodec, flags } from "./flags.js";

const ADDRESS = /^[0-9a-f]{40}$/;

/** `rlp encode`: a list of validators → the extra data of a genesis block. */
export const encode = command({
  id: "rlp encode",
  summary: "Encodes a JSON list of validators as the extra data of a genesis block.",
  examples: [
    "plinth rlp encode --from=validators.json --to=extra-data.txt",
    `echo '["be068f726a13c8d46c44be6ce9d275600e1735a4"]' | plinth rlp encode --type=QBFT_EXTRA_DATA`,
  ],
  flags,
  uses: { points: [extraDataCodecs] },
  async run({ flags: { from, to, type }, io, contributions }) {
    const codec = chooseCodec(type, contributions(extraDataCodecs));
    const text = await io.read(from).catch((cause: unknown) => {
      throw new PlinthError("INPUT_UNREADABLE", {
        message: `Unable to read JSON file. ${from}`,
        cause,
      });
    });
    // White space is ignored on standard input, and line breaks are ignored in a file.
    const json = text.replace(from === undefined ? /\s+/g : /[\r\n]+/g, "");
    const validators = readList(json).map(readAddress);
    verifyDistinct(validators);
    const encoded = toHex(codec.encodeGenesis(validators));
    await io.write(encoded, to).catch((cause: unknown) => {
      const message = `An error occurred while trying to write the RLP string. ${to}`;
      throw new ConfigError("OUTPUT_UNWRITABLE", { message, cause });
    });
  },
});

function readList(text: string): readonly string[] {
  if (text.trim() === "") {
    throw inputError("An error occurred while trying to read the JSON data.");
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw inputError("Unable to load the JSON data. Please check JSON input format.");
  }
  if (Array.isArray(json) && json.every((item) => typeof item === "string")) return json;
  throw inputError(
    "Unable to map the JSON data with selected type. Please check JSON input format.",
  );
}

function inputError(message: string): ConfigError {
  return new ConfigError("INPUT_INVALID", { message });
}

function readAddress(text: string): Address {
  const digits = withoutPrefix(text.trim()).toLowerCase();
  if (ADDRESS.test(digits)) return `0x${digits}`;
  throw new PlinthError("INPUT_INVALID", {
    message: `"${text}" is not an address; expected 40 hex digits`,
  });
}

/** A validator counts once: a duplicate in the list is a mistake. */
function verifyDistinct(validators: readonly Address[]): void {
  const seen = new Set<Address>();
  const repeated = validators.find((address) => seen.size === seen.add(address).size);
  if (repeated === undefined) return;
  throw new PlinthError("INPUT_INVALID", {
    message: `the validator ${repeated} is listed more than once`,
  });
}
