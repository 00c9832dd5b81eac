import { type Hash, t } from "@plinth/core";
import { type HeaderForm, headerForm } from "@plinth/plugin-consensus-dev/api";
import { RecordFile } from "./record-file.js";

const form = t.object({
  source: t.text,
  chainId: t.quantity,
  /** That of the fork. */
  ownChainId: t.quantity,
  number: t.quantity,
  hash: t.hash,
  hardfork: t.text,
  headers: headerForm,
  baseFee: t.optional(t.quantity),
  gasLimit: t.quantity,
  isLazy: t.optional(t.boolean),
});

/** The block at which a chain begins, and what its genesis file takes from there. */
export interface ForkRecord {
  /** The origin of the address of the node. */
  readonly source: string;
  /** The chain id of the other network. */
  readonly chainId: bigint;
  readonly ownChainId: bigint;
  readonly number: bigint;
  readonly hash: Hash;
  readonly hardfork: string;
  /** How the network computes the hash of a header. */
  readonly headers: HeaderForm;
  /** Of the block; `undefined` before London. */
  readonly baseFee: bigint | undefined;
  readonly gasLimit: bigint;
  /** Whether values are read from the node when they are needed; otherwise the whole state is here. */
  readonly isLazy: boolean | undefined;
}

/** The record in a data folder. */
export const forkRecord = new RecordFile<ForkRecord>("fork.json", {
  form,
  loss: "it names the block at which the chain in this folder begins. --fresh starts another one",
});
