import type { Address, Hash, SealedBlock, Transaction } from "@plinth/core";

/**
 * Recipient of public transactions that mark private ones; its account is an ordinary empty one.
 */
export const MARKER_ADDRESS: Address = "0x000000000000000000000000000000000000007e";
/** Same for groups that manage their members by contract. */
export const FLEXIBLE_MARKER_ADDRESS: Address = "0x000000000000000000000000000000000000007d";

/** The key of a payload, which is the whole content of a marker. */
export const PAYLOAD_KEY_BYTES = 32;

/** A public transaction that marks a private one. */
export interface Marker {
  readonly hash: Hash;
  /** Transaction index in the block. */
  readonly index: number;
  /** Key of the payload at the manager. */
  readonly payloadKey: Uint8Array;
  /** Key of the history of a flexible group, for added members. */
  readonly historyKey?: Uint8Array;
}

/** The markers of a block, in order. */
export function markersOf({ body }: SealedBlock): readonly Marker[] {
  return body.transactions.flatMap((transaction, index) => {
    const payloadKey = payloadKeyOf(transaction);
    return payloadKey === undefined ? [] : [{ hash: transaction.hash, index, payloadKey }];
  });
}

/** The key in a marker; `undefined` if the transaction is not a marker. */
export function payloadKeyOf({ to, data }: Transaction): Uint8Array | undefined {
  return to === MARKER_ADDRESS && data.length === PAYLOAD_KEY_BYTES ? data : undefined;
}

/** The markers of a block for groups that manage their members by contract. */
export function flexibleMarkersOf({ body }: SealedBlock): readonly Marker[] {
  return body.transactions.flatMap((transaction, index) => {
    const keys = flexibleKeysOf(transaction);
    return keys === undefined ? [] : [{ hash: transaction.hash, index, ...keys }];
  });
}

/** The keys in such a marker: of the payload, and of the history if members are added. */
export function flexibleKeysOf({
  to,
  data,
}: Pick<Transaction, "to" | "data">): Pick<Marker, "payloadKey" | "historyKey"> | undefined {
  if (to !== FLEXIBLE_MARKER_ADDRESS) return undefined;
  if (data.length === PAYLOAD_KEY_BYTES) return { payloadKey: data };
  if (data.length !== 2 * PAYLOAD_KEY_BYTES) return undefined;
  return {
    payloadKey: data.slice(0, PAYLOAD_KEY_BYTES),
    historyKey: data.slice(PAYLOAD_KEY_BYTES),
  };
}
