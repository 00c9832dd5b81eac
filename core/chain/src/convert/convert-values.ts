import { TABLES } from "@plinth/core/storage";
import { firstKeptEntry } from "../flat/history/kept-history.js";
import { slotKey, storagePrefix } from "../flat/keys.js";
import { encodeAccountBody, encodeRecord, encodeSlotBody } from "../flat/record.js";
import { decodeAccount, decodeSlotValue } from "../state/state-values.js";
import { BatchPieces } from "../store/batch-pieces.js";
import { type ConversionContext, shareBelow } from "./conversion-context.js";
import { type ConversionRecord, putConversion } from "./conversion-record.js";
import { digitsIn, LAST_SLOT, leavesOf } from "./trie-walk.js";

/** Writes the values of the first block; returns the record of the next step. */
export async function convertValues(
  { store, chain, nodes, maxBatchBytes, onProgress }: ConversionContext,
  record: ConversionRecord,
): Promise<ConversionRecord> {
  const { first } = record;
  const pieces = new BatchPieces(store, maxBatchBytes);
  const put = (table: string, key: Uint8Array, body: Uint8Array) =>
    pieces.put(table, key, encodeRecord({ since: first, version: 0, incarnation: 0, body }));
  const { stateRoot: root } = chain.headerAt(BigInt(first));
  const commit = async (account: string, slot: string) => {
    putConversion(pieces, { ...record, account, slot });
    await pieces.commit();
  };
  for (const { key, value } of leavesOf(nodes, { root, from: record.account })) {
    const stored = decodeAccount(value);
    const account = digitsIn(key);
    const prefix = storagePrefix(key, 0);
    const from = account === record.account ? record.slot : "";
    for (const slot of leavesOf(nodes, { root: stored.storageRoot, from })) {
      put(TABLES.slots, slotKey(prefix, slot.key), encodeSlotBody(decodeSlotValue(slot.value)));
      if (pieces.isFull) await commit(account, digitsIn(slot.key));
    }
    put(TABLES.accounts, key, encodeAccountBody(stored));
    if (pieces.isFull) await commit(account, LAST_SLOT);
    onProgress?.("values", shareBelow(key));
  }
  const next: ConversionRecord = { ...record, step: "blocks", account: "", slot: "" };
  pieces.put(TABLES.chain, ...firstKeptEntry(first));
  putConversion(pieces, next);
  await pieces.commit();
  return next;
}
