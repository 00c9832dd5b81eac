import type { KeyValueStore, SealedHeader } from "@plinth/core";
import type { HistorySettings } from "../flat/flat-settings.js";
import { ChainStore } from "../store/chain-store.js";
import type { ConversionStep } from "./conversion-record.js";
import { HashedNodes } from "./trie-walk.js";

/** The inputs of a conversion. */
export interface ConversionSettings extends HistorySettings {
  readonly store: KeyValueStore;
  /** Size at which a batch is written. */
  readonly maxBatchBytes?: number;
  /** Ends the conversion before its next batch; a later one continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the step, and the share of it that is done, from 0 to 1. */
  readonly onProgress?: (step: ConversionStep, share: number) => void;
}

/** What all steps of a conversion use. */
export interface ConversionContext extends ConversionSettings {
  readonly chain: ChainStore;
  readonly nodes: HashedNodes;
  readonly head: SealedHeader;
}

/** Opens a database for a conversion; `undefined` if it has no block. */
export function openConversion(settings: ConversionSettings): ConversionContext | undefined {
  const chain = new ChainStore(settings.store);
  const head = chain.findHead();
  return head && { ...settings, chain, nodes: new HashedNodes(settings.store), head };
}

/** The share of all keys that are below one, from 0 to 1. */
export function shareBelow(key: Uint8Array): number {
  return Buffer.from(key.subarray(0, 4)).readUInt32BE() / 2 ** 32;
}
