import { type CommandIo, type OpenChain, PlinthError } from "@plinth/core";
import type { ImportFlags } from "./import-flags.js";

/** Settings of an import. */
export interface ImportSettings {
  readonly blocks: OpenChain["blocks"];
  readonly flags: Pick<ImportFlags, "startBlock" | "endBlock" | "startTime">;
  readonly io: CommandIo;
  readonly signal: AbortSignal;
}

/** The error for a file that cannot be imported. */
export function failed(path: string, problem: string, cause?: unknown): PlinthError {
  const message = `Unable to import blocks from ${path}: ${problem}`;
  return new PlinthError("IMPORT_FAILED", { message, path, cause });
}
