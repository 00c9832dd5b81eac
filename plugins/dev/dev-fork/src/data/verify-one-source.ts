import type { OptionValues } from "@plinth/core";
import type { options } from "../options.js";
import { DataRefused } from "./data-refused.js";

/** Throws if both a node and a data folder are to be forked. */
export function verifyOneSource({
  forkData,
  forkUrl,
}: Pick<OptionValues<typeof options>, "forkData" | "forkUrl">): void {
  if (forkData === undefined || forkUrl === undefined) return;
  throw new DataRefused("--fork-url forks a node; only one of both can be used");
}
