import type { KeyValueStore } from "@plinth/core";
import { TABLES } from "@plinth/core/storage";
import { removeFlatState, removeTable } from "../flat/remove-flat-state.js";
import { readFormat } from "../flat/state-format.js";
import { abortableStore } from "../store/abortable-store.js";
import {
  type ConversionContext,
  type ConversionSettings,
  openConversion,
  shareBelow,
} from "./conversion-context.js";
import { type ConversionRecord, findConversion, removeConversion } from "./conversion-record.js";
import { convertBlocks } from "./convert-blocks.js";
import { convertSideBlocks } from "./convert-side-blocks.js";
import { convertTries } from "./convert-tries.js";
import { convertValues } from "./convert-values.js";

/**
 * Converts a database from `FOREST` to `BONSAI`, or completes that.
 *
 * The flat tables are filled beside the tries; one batch changes the layout, then the tries are removed. Every batch
 * records how far the conversion is: an interrupted one continues there, and until the layout changes the database
 * can be used as before.
 */
export async function convertStates(settings: ConversionSettings): Promise<void> {
  const { onProgress } = settings;
  const store = abortableStore(settings.store, settings.signal);
  if (readFormat(store) === "FOREST") {
    const context = openConversion({ ...settings, store });
    // Killed before block 0 was written: its state is there, and needed.
    if (context === undefined) return;
    await fillTables(context);
  }
  await removeTable(store, TABLES.trieNodes, (key) => onProgress?.("removal", shareBelow(key)));
}

/** Whether a database has tries of the layout from which it was converted. */
export async function hasOldTries(store: KeyValueStore): Promise<boolean> {
  if (readFormat(store) !== "BONSAI") return false;
  for await (const _ of store.table(TABLES.trieNodes).iterate({ limit: 1 })) return true;
  return false;
}

async function fillTables(context: ConversionContext): Promise<void> {
  let record = await begin(context);
  if (record.step === "values") record = await convertValues(context, record);
  if (record.step === "blocks") record = await convertBlocks(context, record);
  await convertSideBlocks(context);
  await convertTries(context, record);
}

/** The record of an interrupted conversion of the same chain with the same options, or a new one. */
async function begin({
  store,
  chain,
  head,
  history,
  proofBlocks,
}: ConversionContext): Promise<ConversionRecord> {
  const kept = history === undefined ? Number(head.number) : Math.max(history, proofBlocks);
  const first = Math.max(0, Number(head.number) - kept);
  const known = findConversion(store);
  const isSame = known?.history === history && known?.proofBlocks === proofBlocks;
  const isCanonical = known && chain.findHash(BigInt(known.number)) === known.hash;
  // Tries of an earlier head cannot be continued.
  const isUsable = isSame && isCanonical && (known.step !== "tries" || known.hash === head.hash);
  if (isUsable && known.first <= first) return known;
  // First, so that an interruption leaves no record of values that are gone.
  const batch = store.batch();
  removeConversion(batch);
  await batch.commit();
  await removeFlatState(store);
  const { hash } = chain.headerAt(BigInt(first));
  const start = { first, number: first, hash, account: "", slot: "" };
  return { step: "values", ...start, history, proofBlocks };
}
