import { RlpError } from "@plinth/core";
import type { EnclaveClient, ReceivedPayload } from "@plinth/kit-enclave";
import {
  type Fetched,
  type FoundTransaction,
  type SentHistory,
  unlessRefused,
} from "../markers/find-private-transaction.js";
import { isAddition } from "./participants.js";
import { decodeVersionedTransaction, type VersionedTransaction } from "./versioned-transaction.js";

/** Fetches the private transaction of a flexible group behind a marker, for execution. */
export async function fetchFlexible(
  enclave: Pick<EnclaveClient, "receive">,
  payloadKey: Uint8Array,
): Promise<Fetched> {
  const received = await unlessRefused(() => enclave.receive(payloadKey, undefined));
  if (received === undefined) return { kind: "absent" };
  const versioned = findVersioned(received.payload);
  if (versioned === undefined) return { kind: "refused" };
  const { privateFrom, privacyGroupId: group } = versioned.transaction;
  const isSender = privateFrom.length > 0 && isEqual(privateFrom, received.senderKey);
  if (!isSender || group === undefined) return { kind: "refused" };
  const { transaction } = versioned;
  return { kind: "found", found: { transaction, payload: received.payload, group } };
}

/** Part of a transaction that shows whether it adds members, and who sent it. */
type Addition = Pick<FoundTransaction["transaction"], "to" | "data" | "privateFrom">;

/**
 * The history that a transaction carries for the members it adds; `undefined` if it is not for this node.
 *
 * Ignored unless it comes from the sender of the transaction.
 */
export async function fetchHistory(
  historyKey: Uint8Array,
  { transaction }: { readonly transaction: Addition },
  receive: (key: Uint8Array) => Promise<ReceivedPayload | undefined>,
): Promise<SentHistory | undefined> {
  if (!isAddition(transaction)) return undefined;
  const received = await receive(historyKey);
  const isOfSender = received && isEqual(received.senderKey, transaction.privateFrom);
  return isOfSender ? { key: historyKey, payload: received.payload } : undefined;
}

/** A manager returns whatever a sender has stored, valid or not. */
function findVersioned(payload: Uint8Array): VersionedTransaction | undefined {
  try {
    return decodeVersionedTransaction(payload);
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
