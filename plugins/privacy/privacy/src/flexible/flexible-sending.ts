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

/** What private transactions of flexible groups are sent with. */
export interface FlexibleSendingSettings {
  readonly groups: FlexibleGroups;
  readonly past: PastTransactions;
  readonly blocks: Pick<BlockReader, "head">;
  readonly enclave: () => EnclaveClient;
  /** Whether callers have keys of their own. */
  readonly hasTenants: boolean;
}

/** The recipients of a private transaction, as its group has them at the head. */
export interface FlexibleRecipients {
  readonly group: Uint8Array;
  readonly header: SealedHeader;
  /** In base64. */
  readonly members: readonly string[];
}

/** Gives private transactions to the members of their flexible groups. */
export class FlexibleSending {
  readonly #settings: FlexibleSendingSettings;

  constructor(settings: FlexibleSendingSettings) {
    this.#settings = settings;
  }

  /** Throws where a tenant sends to a group of others; a group that is not there yet is no one's. */
  async verifyMember(group: Uint8Array, key: string, signal: AbortSignal): Promise<void> {
    const { groups, blocks } = this.#settings;
    const asking = { signal, owner: this };
    const members = await groups.findMembers({ group, header: blocks.head() }, asking);
    if (members?.includes(key) === false) throw new PrivateRejection("not a member");
  }

  /** Who a private transaction is for: the members of its group, and those whom it adds. */
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
   * Stores the payload with its recipients; returns what the marker must name.
   *
   * Those who are added to a group that has run something get that, too.
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
