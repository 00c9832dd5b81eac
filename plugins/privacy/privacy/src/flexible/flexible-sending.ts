import type { BlockReader, SealedHeader } from "@plinth/core";
import { type EnclaveClient, fromBase64 } from "@plinth/kit-enclave";
import { PrivateRejection } from "../transaction/private-rejection.js";
import {
  encodePrivateTransaction,
  type PrivateTransaction,
} from "../transaction/private-transaction.js";
import type { FlexibleGroups } from "./flexible-groups.js";
import { addedKeys, isAddition } from "./participants.js";
import type { PastTransactions } from "./past-transactions.js";
import { encodeVersionedTransaction } from "./versioned-transaction.js";

/** Dependencies of `FlexibleSending`. */
export interface FlexibleSendingSettings {
  readonly groups: FlexibleGroups;
  readonly past: PastTransactions;
  readonly blocks: Pick<BlockReader, "head">;
  readonly enclave: () => EnclaveClient;
  /** Whether each caller has its own key. */
  readonly hasTenants: boolean;
}

/** The recipients of a private transaction, as of the head block. */
export interface FlexibleRecipients {
  readonly group: Uint8Array;
  readonly header: SealedHeader;
  /** In base64. */
  readonly members: readonly string[];
}

/** Sends private transactions to the members of their flexible groups. */
export class FlexibleSending {
  readonly #settings: FlexibleSendingSettings;

  constructor(settings: FlexibleSendingSettings) {
    this.#settings = settings;
  }

  /**
   * Throws if a tenant sends to a group it is not a member of; a group that does not exist yet is
   * open to all.
   */
  async verifyMember(group: Uint8Array, key: string, signal: AbortSignal): Promise<void> {
    const { groups, blocks } = this.#settings;
    const asking = { signal, owner: this };
    const members = await groups.findMembers({ group, header: blocks.head() }, asking);
    if (members?.includes(key) === false) throw new PrivateRejection("not a member");
  }

  /** The recipients of a private transaction: the members of its group, and those it adds. */
  async findRecipients(
    transaction: PrivateTransaction,
    key: string,
    signal: AbortSignal,
  ): Promise<FlexibleRecipients> {
    const { groups, blocks, hasTenants } = this.#settings;
    const { privacyGroupId: group } = transaction;
    if (group === undefined) throw new PrivateRejection("flexible group id missing");
    const header = blocks.head();
    const known = await groups.findMembers({ group, header }, { signal, owner: this });
    if (hasTenants && known?.includes(key) === false) throw new PrivateRejection("not a member");
    const added = isAddition(transaction) ? addedKeys(transaction) : undefined;
    if (known === undefined && added === undefined) {
      throw new PrivateRejection("flexible group missing");
    }
    const members = [...new Set([...(known ?? []), ...(added ?? [])])];
    if (!members.includes(key)) throw new PrivateRejection("flexible group missing");
    return { group, header, members };
  }

  /**
   * Stores the payload with its recipients; returns the keys for the marker.
   *
   * Added members also receive the history of the group, if it has one.
   */
  async store(
    transaction: PrivateTransaction,
    { group, header, members }: FlexibleRecipients,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { groups, past, enclave } = this.#settings;
    const { privateFrom: from } = transaction;
    const history = isAddition(transaction) ? await past.write(group, header) : undefined;
    const version = await groups.versionOf({ group, header }, { signal, owner: this });
    const payload = encodeVersionedTransaction(encodePrivateTransaction(transaction), version);
    const payloadKey = await enclave().send(payload, { from, to: bytesOf(members) });
    if (history === undefined) return payloadKey;
    const to = bytesOf(addedKeys(transaction));
    const historyKey = await enclave().send(history, { from, to });
    return new Uint8Array(Buffer.concat([payloadKey, historyKey]));
  }
}

function bytesOf(keys: readonly string[]): readonly Uint8Array[] {
  return keys.map((key) => fromBase64(key, "key"));
}
