import { ConfigError, command, InvalidBlock, messageOf, PlinthError } from "@plinth/core";
import { sealChecks } from "@plinth/plugin-consensus-ethash/api";
import { flags } from "./import-flags.js";
import { importJson } from "./import-json.js";
import { importRlp } from "./import-rlp.js";

/** `blocks import`: adds the blocks of files to the chain; known ones are skipped. */
export const importBlocks = command({
  id: "blocks import",
  summary:
    "Adds the blocks of files to the chain; takes as long as executing all their transactions, and shows blocks per second.",
  examples: [
    "plinth --genesis-file=genesis.json --data-path=data blocks import chain.rlp",
    "plinth --network=dev --data-path=data blocks import --format=JSON blocks.json",
  ],
  flags,
  args: { placeholder: "FILE", summary: "Files with blocks.", min: 0, max: 1000 },
  uses: { chain: true },
  async run(context) {
    const { flags, args, io, signal } = context;
    const paths = [...(flags.from ?? []), ...args];
    if (paths.length === 0) {
      throw new ConfigError("ARGUMENT_MISSING", { message: "No files specified to import." });
    }
    if (flags.skipPowValidationEnabled) {
      if (flags.format === "JSON") {
        throw new ConfigError("OPTION_INVALID", {
          message: "Can't skip proof of work validation for JSON blocks",
        });
      }
      for (const check of context.contributions(sealChecks)) check.isEnabled = false;
    }
    {
      await using chain = await context.openChain();
      for (const path of paths) {
        if (signal.aborted) break;
        try {
          const importFile = flags.format === "JSON" ? importJson : importRlp;
          await importFile(path, { blocks: chain.blocks, flags, io, signal });
        } catch (error) {
          // With several files, as in Besu, a failure of one does not prevent the import of the
          // others.
          if (paths.length === 1 || !isAboutFile(error)) throw error;
          io.status?.clear();
          await io.write(messageOf(error));
        }
      }
    }
    if (flags.run && !signal.aborted) context.runNode();
  },
});

function isAboutFile(error: unknown): boolean {
  return (
    error instanceof InvalidBlock ||
    (error instanceof PlinthError && error.code === "IMPORT_FAILED")
  );
}
