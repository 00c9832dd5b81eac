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

/** A private transaction that this node takes part in. */
export interface FoundTransaction {
  readonly transaction: PrivateTransaction;
  readonly payload: Uint8Array;
  /** As the manager has it. */
  readonly group: Uint8Array;
  /** What the group has done before, for those who are added to it. */
  readonly history?: SentHistory;
}

/** The history of a flexible group as its new members get it. */
export interface SentHistory {
  /** What the manager finds it by. */
  readonly key: Uint8Array;
  readonly payload: Uint8Array;
}

type Asked = Pick<EnclaveClient, "receive" | "retrieveGroup" | "findGroupEver">;

/** What a manager has for a marker. */
export type Fetched =
  | { readonly kind: "found"; readonly found: FoundTransaction }
  /** It has no payload: it is not for this node, or it was lost. */
  | { readonly kind: "absent" }
  /** The payload is for a group that it does not know. */
  | { readonly kind: "unknown group"; readonly unknownGroup: UnknownGroup }
  /** It must not run. */
  | { readonly kind: "refused" };

/**
 * Fetches the private transaction behind a marker, to run it.
 *
 * Rejects where the manager cannot say.
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
  // Senders name the group beside the payload, too: parties that make it themselves are its members, others are asked for.
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

/** The group of a payload, where the manager knows it or did so before. */
export async function findGroup(
  enclave: Pick<Asked, "retrieveGroup" | "findGroupEver">,
  id: Uint8Array,
): Promise<DescribedGroup | undefined> {
  const known = await unlessRefused(() => enclave.retrieveGroup(toBase64(id)));
  return known ?? (await unlessRefused(() => enclave.findGroupEver(id)));
}

/** What a call answers; `undefined` where the manager says that it is not for this node. */
export async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EnclaveError && isRefusal(error)) return undefined;
    throw error;
  }
}

/** Anything a sender may have stored can come out of a manager. */
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
