import { ConfigError, command, DecodeError, type Hash, t } from "@plinth/core";
import { findReceipt } from "./find-receipt.js";
import { endOfWait, nodeFlags, receiptFlags } from "./flags.js";
import { NodeLink } from "./node-link.js";
import { writeReceipt } from "./write-receipt.js";

/** `privacy receipt`: the result of a private transaction. */
export const receipt = command({
  id: "privacy receipt",
  summary:
    "Shows the result of a private transaction; exit code 1 if it failed or there is no receipt.",
  examples: [
    "plinth --data-path=data privacy receipt 0x1f07…",
    "plinth privacy receipt 0x1f07… --wait --json",
  ],
  flags: { ...nodeFlags, ...receiptFlags },
  args: { placeholder: "HASH", summary: "Hash of the marker transaction.", min: 1, max: 1 },
  uses: {},
  async run({ flags, args: [text = ""], io, dataPath, signal }) {
    const hash = readHash(text);
    const link = await NodeLink.open(flags, { dataPath, signal });
    const found = await findReceipt(link, hash, { until: endOfWait(flags), signal });
    return writeReceipt(found, { hash, link, io, json: flags.json });
  },
});

function readHash(text: string): Hash {
  try {
    return t.hash.decode(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ConfigError("OPTION_INVALID", {
      message: `"${text}" is not the hash of a marker transaction; expected 0x and 64 hex digits`,
    });
  }
}
