import { type Call, type Hash, RlpError, RpcError } from "@plinth/core";
import { EnclaveError, EnclaveUnreachable } from "@plinth/kit-enclave";
import {
  decodePayload,
  enclaveError,
  findFlexibleMembers,
  findPrivateSender,
  getPrivacy,
  groupOf,
  keyOf,
  type MarkerPlace,
  PAYLOAD_KEY_BYTES,
  type PrivacyNode,
  type PrivateTransaction,
  privacyError,
  unlessRefused,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "./dependencies.js";

/** A private transaction that a caller may see, and the position of its marker. */
export interface FoundPrivateTransaction {
  readonly transaction: PrivateTransaction;
  readonly sender: `0x${string}`;
  readonly group: Uint8Array;
  readonly place: MarkerPlace;
}

/** Tessera's message for a payload that it holds for another tenant. */
const NOT_FOR_KEY = "recipient not found in listed keys";

/** Finds the private transaction behind a marker; `undefined` if there is none for this caller. */
export async function findPrivateTransaction(
  hash: Hash,
  call: Call<typeof dependencies>,
): Promise<FoundPrivateTransaction | undefined> {
  const node = getPrivacy(call.privacy);
  const key = keyOf(node, call.client);
  const place = node.findMarker(hash);
  const payloadKey = place && findPayloadKey(node, place, call);
  if (place === undefined || payloadKey === undefined) return undefined;
  const payload = await orFailure(call, () =>
    unlessRefused(() => node.enclave.receive(payloadKey, key)),
  );
  const transaction =
    payload === undefined ? await findPast(hash, place, key, call) : decode(payload.payload);
  const sender = transaction && findPrivateSender(transaction);
  if (transaction === undefined || sender === undefined) return undefined;
  return { transaction, sender, group: groupOf(transaction), place };
}

/** Besu treats any transaction as a marker, and fails if it has too few bytes. */
function findPayloadKey(
  node: PrivacyNode,
  place: MarkerPlace,
  { compatibility }: Call<typeof dependencies>,
): Uint8Array | undefined {
  if (compatibility.mode !== "besu") return node.payloadKeyAt(place);
  const { data } = place.block.body.transactions[place.index] ?? {};
  if (data === undefined || data.length < PAYLOAD_KEY_BYTES) throw RpcError.internal();
  return data.slice(0, PAYLOAD_KEY_BYTES);
}

/** Transactions from the history of a flexible group, for members that were added. */
async function findPast(
  hash: Hash,
  { block }: MarkerPlace,
  key: string,
  call: Call<typeof dependencies>,
): Promise<PrivateTransaction | undefined> {
  const node = getPrivacy(call.privacy);
  if (!node.isFlexible) return undefined;
  const past = await orFailure(call, () => node.past.find(hash, block.header, key));
  if (past !== undefined || node.nodeKey !== undefined) return past?.transaction;
  const isMember = async (group: Uint8Array) =>
    (await findFlexibleMembers(node, group, call.client))?.includes(key) === true;
  const find = () => node.past.findForTenant(hash, block.header, isMember);
  return orFailure(call, () => unlessRefused(find));
}

/** Result of a manager call; `undefined` if the payload is held for another tenant. */
async function orFailure<T>(
  { compatibility }: Call<typeof dependencies>,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const isForAnother = error instanceof EnclaveError && error.message.includes(NOT_FOR_KEY);
    if (isForAnother) return undefined;
    if (!(error instanceof EnclaveError || error instanceof EnclaveUnreachable)) throw error;
    // Besu does not report the reason.
    if (compatibility.mode === "besu") throw RpcError.internal();
    throw error instanceof EnclaveUnreachable ? privacyError(error.message) : enclaveError(error);
  }
}

/** A manager returns whatever a sender has stored, valid or not. */
function decode(payload: Uint8Array): PrivateTransaction | undefined {
  try {
    return decodePayload(payload);
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}
