import { RlpError } from "@plinth/core";
import {
  type DescribedGroup,
  type EnclaveClient,
  EnclaveError,
  toBase64,
} from "@plinth/kit-enclave";
import {
  decodePrivateTransaction,
  groupOf,
  type PrivateTransaction,
} from "../transaction/private-transaction.js";
import type { UnknownGroup } from "./unresolved.js";

/** A private transaction in which this node participates. */
export interface FoundTransaction {
  readonly transaction: PrivateTransaction;
  readonly payload: Uint8Array;
  /** As stored by the manager. */
  readonly group: Uint8Array;
  /** The history of the group, for the members it adds. */
  readonly history?: SentHistory;
}

/** The history of a flexible group as received by its new members. */
export interface SentHistory {
  /** Its key at the manager. */
  readonly key: Uint8Array;
  readonly payload: Uint8Array;
}

type Asked = Pick<EnclaveClient, "receive" | "retrieveGroup" | "findGroupEver">;

/** Result of resolving a marker. */
export type Fetched =
  | { readonly kind: "found"; readonly found: FoundTransaction }
  /** No payload: it is not for this node, or it was lost. */
  | { readonly kind: "absent" }
  /** The group of the payload is unknown to the manager. */
  | { readonly kind: "unknown group"; readonly unknownGroup: UnknownGroup }
  /** It must not be executed. */
  | { readonly kind: "refused" };

/**
 * Fetches the private transaction behind a marker, for execution.
 *
 * Rejects if the manager is unavailable.
 */
export async function fetchForExecution(enclave: Asked, payloadKey: Uint8Array): Promise<Fetched> {
  const received = await unlessRefused(() => enclave.receive(payloadKey, undefined));
  if (received === undefined) return { kind: "absent" };
  const transaction = findTransaction(received.payload);
  if (transaction === undefined) return { kind: "refused" };
  const { privateFrom, privateFor } = transaction;
  const isSender = privateFrom.length > 0 && isEqual(privateFrom, received.senderKey);
  if (!isSender) return { kind: "refused" };
  const named = groupOf(transaction);
  const group = received.privacyGroupId ?? named;
  // Senders also name the group beside the payload: if the parties form it, they are its members,
  // otherwise they are looked up.
  const isOwn = privateFor !== undefined && isEqual(group, named);
  if (!isOwn) {
    const known = await findGroup(enclave, group);
    if (known === undefined) {
      return { kind: "unknown group", unknownGroup: { id: group, senderKey: privateFrom } };
    }
    if (!known.members.includes(toBase64(privateFrom))) return { kind: "refused" };
  }
  return { kind: "found", found: { transaction, payload: received.payload, group } };
}

/** The group of a payload, if the manager has it or had it before. */
export async function findGroup(
  enclave: Pick<Asked, "retrieveGroup" | "findGroupEver">,
  id: Uint8Array,
): Promise<DescribedGroup | undefined> {
  const known = await unlessRefused(() => enclave.retrieveGroup(toBase64(id)));
  return known ?? (await unlessRefused(() => enclave.findGroupEver(id)));
}

/** Result of a call; `undefined` if the manager reports that it is not for this node. */
export async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EnclaveError && isRefusal(error)) return undefined;
    throw error;
  }
}

/** A manager returns whatever a sender has stored, valid or not. */
function findTransaction(payload: Uint8Array): PrivateTransaction | undefined {
  try {
    return decodePrivateTransaction(payload);
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}

function isRefusal({ status }: EnclaveError): boolean {
  return status >= 400 && status < 500;
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
