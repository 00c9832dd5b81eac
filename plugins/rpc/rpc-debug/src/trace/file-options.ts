import { type Codec, type Hash, t } from "@plinth/core";

/** Which transaction of a block is written to a file, and which details. */
export interface FileOptions {
  readonly txHash: Hash | undefined;
  readonly disableMemory: boolean;
}

/** Decodes the options of trace files. */
export const fileOptions: Codec<FileOptions> = t.withText(
  t.object({ txHash: t.optional(t.hash), disableMemory: t.optional(t.boolean, true) }),
  "Invalid transaction trace params",
);

/** By default every transaction, without its memory. */
export const USUAL_FILE_OPTIONS: FileOptions = { txHash: undefined, disableMemory: true };
