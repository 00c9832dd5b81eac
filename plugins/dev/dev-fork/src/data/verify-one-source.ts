import type { OptionValues } from "@plinth/core";
import type { OpeningEvent } from "@plinth/core/chain";
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

/** Throws if a node is to be forked in a folder that has a fork of a data folder. */
export function verifyNoNode(
  { dataPath, isOffline }: Pick<OpeningEvent, "dataPath" | "isOffline">,
  { forkUrl }: Pick<OptionValues<typeof options>, "forkUrl">,
): void {
  if (forkUrl === undefined || isOffline) return;
  throw new DataRefused(
    `${dataPath} has the fork of a data folder, which --fork-url cannot continue: --data-path=<PATH> names another folder`,
  );
}
