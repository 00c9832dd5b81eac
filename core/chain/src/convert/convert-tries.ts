import { TABLES } from "@plinth/core/storage";
import { storageNodeKey, storagePrefix } from "../flat/keys.js";
import { formatEntry } from "../flat/state-format.js";
import { FlatValues } from "../flat/values.js";
import { decodeAccount } from "../state/state-values.js";
import { BatchPieces } from "../store/batch-pieces.js";
import { type ConversionContext, shareBelow } from "./conversion-context.js";
import { type ConversionRecord, putConversion, removeConversion } from "./conversion-record.js";
import { digitsIn, LAST_SLOT, walkTrie } from "./trie-walk.js";

/** Writes the tries of the head by path; then changes the layout of the database. */
export async function convertTries(
  { store, nodes, head, maxBatchBytes, onProgress }: ConversionContext,
  record: ConversionRecord,
): Promise<void> {
  const pieces = new BatchPieces(store, maxBatchBytes);
  const values = new FlatValues(store);
  const commit = async (account: string, slot: string) => {
    putConversion(pieces, { ...record, step: "tries", account, slot });
    await pieces.commit();
  };
  for (const item of walkTrie(nodes, { root: head.stateRoot, from: record.account })) {
    if ("path" in item) {
      pieces.put(TABLES.accountNodes, item.path, item.bytes);
      continue;
    }
    const { storageRoot: root } = decodeAccount(item.value);
    const account = digitsIn(item.key);
    const from = account === record.account ? record.slot : "";
    const prefix = storagePrefix(item.key, values.findLatest(item.key)?.incarnation ?? 0);
    for (const part of walkTrie(nodes, { root, from })) {
      if ("path" in part) {
        pieces.put(TABLES.storageNodes, storageNodeKey(prefix, part.path), part.bytes);
      } else if (pieces.isFull) {
        await commit(account, digitsIn(part.key));
      }
    }
    if (pieces.isFull) await commit(account, LAST_SLOT);
    onProgress?.("tries", shareBelow(item.key));
  }
  await pieces.commit();
  const batch = store.batch();
  batch.put(TABLES.chain, ...formatEntry("BONSAI"));
  removeConversion(batch);
  await batch.commit({ durable: true });
}
