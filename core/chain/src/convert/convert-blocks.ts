import { runSteps } from "@plinth/core/async";
import { TABLES, type WriteBatch } from "@plinth/core/storage";
import { numberOf, storageNodeKey } from "../flat/keys.js";
import { StateShift } from "../flat/state-shift.js";
import type { NodeSink } from "../flat/tries/trie-overlay.js";
import { NodeCache } from "../state/node-cache.js";
import { BATCH_BYTES, BatchPieces } from "../store/batch-pieces.js";
import { type ClearedStorage, changesBetween } from "./block-changes.js";
import type { ConversionContext } from "./conversion-context.js";
import { type ConversionRecord, putConversion } from "./conversion-record.js";
import { walkTrie } from "./trie-walk.js";

/** A change is counted with its entry in the history; a block has its changed keys. */
const ENTRY_BYTES = 100;

/** Writes the changes of the blocks after the last one that is converted, up to the head. */
export async function convertBlocks(
  context: ConversionContext,
  from: ConversionRecord,
): Promise<ConversionRecord> {
  const { store, chain, nodes, head } = context;
  const { maxBatchBytes = BATCH_BYTES, onProgress } = context;
  let record = from;
  let before = chain.headerAt(BigInt(record.number));
  while (before.number < head.number) {
    const batch = store.batch();
    const shift = new StateShift(store, {
      cache: new NodeCache({ maxNodes: 0 }),
      sink: withoutOldKeys(batch, context),
    });
    const incarnationOf = (key: Uint8Array) => shift.find(key)?.incarnation ?? 0;
    let bytes = 0;
    while (before.number < head.number && bytes < maxBatchBytes) {
      const number = Number(before.number) + 1;
      const after = chain.headerAt(BigInt(number));
      const roots = { before: before.stateRoot, after: after.stateRoot };
      const { values, cleared } = changesBetween(nodes, roots, incarnationOf);
      if (number > lastWithoutChanges(context)) await keepTries(context, cleared);
      shift.applyBlock(number, values);
      for (const { key, body } of values) bytes += 2 * (key.length + body.length) + ENTRY_BYTES;
      bytes += ENTRY_BYTES;
      before = after;
    }
    runSteps(shift.writeValues());
    const number = Number(before.number);
    record = { ...record, step: "blocks", number, hash: before.hash };
    putConversion(batch, record);
    await batch.commit();
    onProgress?.("blocks", (number - record.first) / (Number(head.number) - record.first));
  }
  return record;
}

/** Writes the tries of cleared storage, from which earlier tries are made. */
async function keepTries(
  { store, nodes, maxBatchBytes }: ConversionContext,
  cleared: readonly ClearedStorage[],
): Promise<void> {
  const pieces = new BatchPieces(store, maxBatchBytes);
  for (const { prefix, root } of cleared) {
    for (const item of walkTrie(nodes, { root })) {
      if (!("path" in item)) continue;
      pieces.put(TABLES.storageNodes, storageNodeKey(prefix, item.path), item.bytes);
      if (pieces.isFull) await pieces.commit();
    }
  }
  await pieces.commit();
}

/** A batch without the changed keys of blocks that cannot be removed from the chain, nor their history. */
function withoutOldKeys(batch: WriteBatch, context: ConversionContext): NodeSink {
  const last = lastWithoutChanges(context);
  return {
    put(table, key, value) {
      if (table === TABLES.stateChanges && numberOf(key) <= last) return;
      batch.put(table, key, value);
    },
    delete: (table, key) => batch.delete(table, key),
  };
}

/** The last block whose changed keys are not kept. */
function lastWithoutChanges({ head, history, proofBlocks }: ConversionContext): number {
  return history === undefined ? Number(head.number) - proofBlocks : 0;
}
