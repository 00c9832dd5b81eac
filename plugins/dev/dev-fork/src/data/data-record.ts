import { type Hash, t } from "@plinth/core";
import { type HeaderForm, headerForm } from "@plinth/plugin-consensus-dev/api";
import { RecordFile } from "../record-file.js";

const form = t.object({
  source: t.text,
  number: t.quantity,
  hash: t.hash,
  headers: headerForm,
});

/** The last block that a chain shares with the data folder it was made from. */
export interface DataRecord {
  readonly source: string;
  readonly number: bigint;
  readonly hash: Hash;
  /** How the network computes the hash of a header. */
  readonly headers: HeaderForm;
}

/** The record in a data folder. */
export const dataRecord = new RecordFile<DataRecord>("fork-data.json", {
  form,
  loss: "it names the block up to which the chain in this folder is of another network",
});
