import type { Runtime } from "@plinth/core";
import type { ChosenFork } from "../chosen-fork.js";
import type { ForkRecord } from "../fork-record.js";
import type { ForkedFolder } from "./forked-folder.js";

/** The block at which a fork begins, of a data folder or of another node; `undefined` if the chain is no fork. */
export function findStart(
  folder: ForkedFolder,
  fork: ChosenFork,
  { chain }: Pick<Runtime, "chain">,
): Pick<ForkRecord, "source" | "chainId" | "number" | "hash"> | undefined {
  const ofFolder = folder.find();
  return ofFolder === undefined ? fork.find() : { ...ofFolder, chainId: chain.chainId ?? 1n };
}
