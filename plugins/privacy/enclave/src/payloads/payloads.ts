import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { EnclaveError, restAfter, toBase64 } from "@plinth/kit-enclave";
import { decodeCborPayload } from "../codec/cbor-codec.js";
import { type EncodedPayload, forRecipient } from "../codec/encoded-payload.js";
import { decodeLegacy } from "../codec/legacy-codec.js";
import type { KeyPair } from "../crypto/key-pair.js";
import type { OwnKeys } from "../crypto/own-keys.js";
import { hashOf, type Sealer } from "../crypto/sealing.js";
import type { DurableWrites } from "../durable-writes.js";
import type { Groups } from "../groups/groups.js";
import type { LostGroups } from "../groups/lost-groups.js";
import { groupIdOf, includesKey, type PrivacyGroup } from "../groups/privacy-group.js";
import type { Caller } from "../peers/caller.js";
import type { Distribution } from "./distribution.js";
import { merge, verifySame } from "./merge-payloads.js";
import { PayloadStore } from "./payload-store.js";
import type { Redelivery } from "./redelivery.js";
import type { ReturnedPayloads } from "./returned-payloads.js";

/** A node's request to store and deliver a payload. */
export interface SendOrder {
  readonly payload: Uint8Array;
  /** The first key of the manager by default. */
  readonly from?: Uint8Array;
  /** The recipients, unless a group is named. */
  readonly to?: readonly Uint8Array[];
  readonly privacyGroupId?: Uint8Array;
}

/** A decrypted payload. */
export interface Received {
  readonly payload: Uint8Array;
  readonly senderKey: Uint8Array;
  readonly privacyGroupId?: Uint8Array;
}

/**
 * First byte of a CBOR map with eleven entries; a payload of the older codec begins with a length
 * below 2^56.
 */
const CBOR_MAP = 0xab;

/** Maximum number of concurrent lookups for others: each may read 1,000 payloads. */
const MAX_SEARCHES = 4;

/** The payloads of a manager: sent, received and resent. */
export class Payloads {
  readonly #writes: DurableWrites;
  readonly #payloads: PayloadStore;
  readonly #keys: OwnKeys;
  readonly #sealer: Sealer;
  readonly #groups: Groups;
  readonly #lostGroups: LostGroups;
  readonly #distribution: Distribution;
  readonly #returned: ReturnedPayloads;
  readonly #redelivery: Redelivery | undefined;
  readonly #alwaysSendTo: readonly Uint8Array[];
  /** Writes in progress: a manager with two keys receives a payload for both at once. */
  readonly #writing = new Map<string, { payload: EncodedPayload; done: Promise<void> }>();
  readonly #maxBytes: number;
  #isResending = false;
  #searches = 0;
  #sent = 0;
  #accepted = 0;

  constructor(parts: {
    readonly store: KeyValueStore;
    readonly writes: DurableWrites;
    readonly keys: OwnKeys;
    readonly sealer: Sealer;
    readonly groups: Groups;
    readonly lostGroups: LostGroups;
    readonly distribution: Distribution;
    readonly returned: ReturnedPayloads;
    /** Without it, a send fails if a recipient does not respond. */
    readonly redelivery: Redelivery | undefined;
    readonly alwaysSendTo: readonly Uint8Array[];
    readonly maxBytes: number;
  }) {
    this.#writes = parts.writes;
    this.#payloads = new PayloadStore(parts.store);
    this.#keys = parts.keys;
    this.#sealer = parts.sealer;
    this.#groups = parts.groups;
    this.#lostGroups = parts.lostGroups;
    this.#distribution = parts.distribution;
    this.#returned = parts.returned;
    this.#redelivery = parts.redelivery;
    this.#alwaysSendTo = parts.alwaysSendTo;
    this.#maxBytes = parts.maxBytes;
  }

  /** Number of payloads sent from here and accepted from others, since the start. */
  get counts(): { readonly sent: number; readonly accepted: number } {
    return { sent: this.#sent, accepted: this.#accepted };
  }

  /** Encrypts a payload, sends it to every recipient and stores it; returns its hash. */
  async send({ payload, from, to = [], privacyGroupId }: SendOrder): Promise<Uint8Array> {
    if (payload.length > this.#maxBytes) {
      throw new EnclaveError(
        413,
        `a payload of ${payload.length} bytes; the limit is ${this.#maxBytes}`,
      );
    }
    const sender = from === undefined ? this.#keys.usual : this.#keys.get(from);
    const { group, isNew } = this.#groupOf(sender, to, privacyGroupId);
    const wanted = privacyGroupId === undefined ? to : group.members;
    const recipients = distinct([...wanted, sender.publicKey, ...this.#alwaysSendTo]);
    const remote = recipients.filter((key) => !this.#keys.has(key));
    this.#verifyKnown(remote);
    const sealed = this.#sealer.seal(payload, {
      sender,
      recipients,
      privacyGroupId: groupIdOf(group),
    });
    await restAfter(payload.length);
    const save = (more?: (batch: WriteBatch) => void) =>
      this.#writes.write((batch) => {
        this.#payloads.put(batch, sealed);
        if (isNew) this.#groups.store.put(batch, group);
        more?.(batch);
      });
    if (this.#redelivery === undefined) {
      await this.#distribution.pushPayload(sealed, remote);
      await save();
    } else {
      await save((batch) => this.#redelivery?.queue(batch, sealed, remote));
      await this.#redelivery.deliver(sealed, remote);
    }
    this.#sent += 1;
    return hashOf(sealed);
  }

  /** Decrypts a payload with the key of a recipient, or with any own key. */
  receive(hash: Uint8Array, to?: Uint8Array): Received {
    const payload = this.#find(hash);
    if (payload === undefined) {
      throw new EnclaveError(404, `Message with hash ${toBase64(hash)} was not found`);
    }
    const opened = to === undefined ? this.#open(payload) : this.#openWith(payload, to);
    if (opened === undefined) {
      const name = toBase64(hash);
      throw new EnclaveError(
        500,
        `No suitable recipient keys found to decrypt payload for : ${name}`,
      );
    }
    const { senderKey, privacyGroupId } = payload;
    return {
      payload: opened,
      senderKey,
      ...(privacyGroupId === undefined ? {} : { privacyGroupId }),
    };
  }

  /** Accepts a payload that another manager pushed; returns its hash once it is on disk. */
  async accept(bytes: Uint8Array, caller: Caller): Promise<Uint8Array> {
    const pushed = bytes[0] === CBOR_MAP ? decodeCborPayload(bytes) : decodeLegacy(bytes);
    const hash = hashOf(pushed);
    const readable = await this.#findReadable(pushed, caller);
    if (readable === undefined) {
      // It becomes available once its group is.
      this.#lostGroups.accepted(pushed);
      return hash;
    }
    const name = toBase64(hash);
    const writing = this.#writing.get(name);
    const known = writing?.payload ?? this.#payloads.find(hash);
    if (known !== undefined) verifySame(known, pushed);
    const merged = known === undefined ? this.#withSender(readable) : merge(known, readable);
    if (merged === known) {
      await writing?.done;
      return hash;
    }
    const done = this.#writes.write((batch) => {
      this.#payloads.put(batch, merged);
      const { senderKey, recipientKeys, privacyGroupId } = merged;
      const others = recipientKeys.filter((key) => Buffer.compare(key, senderKey) !== 0);
      this.#groups.learn(batch, privacyGroupId, [senderKey, ...others]);
    });
    this.#writing.set(name, { payload: merged, done });
    try {
      await done;
    } finally {
      if (this.#writing.get(name)?.payload === merged) this.#writing.delete(name);
    }
    this.#accepted += 1;
    this.#lostGroups.accepted(merged);
    return hash;
  }

  /** A payload that is stored, or that was returned. */
  #find(hash: Uint8Array): EncodedPayload | undefined {
    const stored = this.#payloads.find(hash);
    if (stored !== undefined) return stored;
    const returned = this.#returned.find(hash);
    return returned && this.#withSender(returned);
  }

  async *#all(): AsyncGenerator<EncodedPayload> {
    yield* this.#payloads.all();
    for await (const { payload, isWhole } of this.#returned.all()) {
      if (isWhole && !this.#isStored(payload)) yield this.#withSender(payload);
    }
  }

  #isStored(payload: EncodedPayload): boolean {
    return this.#payloads.find(hashOf(payload)) !== undefined;
  }

  /**
   * A payload sent from here and returned lacks the box of the sender, whose node asks with its
   * key.
   */
  #withSender(pushed: EncodedPayload): EncodedPayload {
    const own = this.#keys.find(pushed.senderKey);
    if (own === undefined || forRecipient(pushed, own.publicKey) !== undefined) return pushed;
    return this.#sealer.addSender(pushed, own) ?? pushed;
  }

  /** Decrypts a payload that is not stored, such as a challenge for a key. */
  openUnstored(bytes: Uint8Array): Uint8Array | undefined {
    const payload = decodeLegacy(bytes);
    const [recipient] = payload.recipientKeys;
    const isForOne = payload.recipientKeys.length === 1 && recipient !== undefined;
    return isForOne && this.#keys.has(recipient) ? this.#openBox(payload, 0) : undefined;
  }

  /** The copy for a recipient that lost a payload. */
  findFor(hash: Uint8Array, recipient: Uint8Array): EncodedPayload | undefined {
    const payload = this.#find(hash);
    return payload && forRecipient(payload, recipient);
  }

  /** Whether a payload is stored. */
  has(hash: Uint8Array): boolean {
    return this.#find(hash) !== undefined;
  }

  /** Those of the given payloads that are stored here and that a key has sent or can decrypt. */
  async findOf(key: Uint8Array, hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    if (this.#searches >= MAX_SEARCHES) {
      throw new EnclaveError(503, "a payload lookup is already in progress; try again in a second");
    }
    this.#searches += 1;
    try {
      const found: Uint8Array[] = [];
      for (const hash of hashes) {
        const payload = this.#find(hash);
        if (payload === undefined) continue;
        const isParty = includesKey([payload.senderKey, ...payload.recipientKeys], key);
        if (isParty) found.push(hash);
        await restAfter(payload.cipherText.length);
      }
      return found;
    } finally {
      this.#searches -= 1;
    }
  }

  /**
   * Number of payloads that were returned in part, or for an unknown group: they cannot be
   * decrypted.
   */
  async countAside(): Promise<number> {
    let count = 0;
    for await (const { payload, isWhole } of this.#returned.all()) {
      if (!isWhole && !this.#isStored(payload)) count += 1;
    }
    return count;
  }

  /** Resends to a key everything that was sent from here to it, or that came from it. */
  async resendAll(key: Uint8Array): Promise<void> {
    if (this.#keys.has(key)) return;
    if (this.#isResending) throw new EnclaveError(503, "payloads are already being resent");
    this.#isResending = true;
    try {
      await this.#resendAll(key);
    } finally {
      this.#isResending = false;
    }
  }

  async #resendAll(key: Uint8Array): Promise<void> {
    for await (const payload of this.#all()) {
      if (Buffer.compare(payload.senderKey, key) === 0) {
        await this.#distribution.giveBack(payload);
      } else if (this.#keys.has(payload.senderKey) && forRecipient(payload, key) !== undefined) {
        await this.#distribution.pushTo(key, payload);
      }
    }
  }

  #groupOf(
    sender: KeyPair,
    to: readonly Uint8Array[],
    id: Uint8Array | undefined,
  ): { readonly group: PrivacyGroup; readonly isNew: boolean } {
    if (id === undefined) return this.#groups.legacy(sender.publicKey, to);
    return { group: this.#groups.get(id), isNew: false };
  }

  #verifyKnown(remote: readonly Uint8Array[]): void {
    if (this.#redelivery === undefined) this.#distribution.verifyReachable(remote);
    else this.#redelivery.verifyKnown(remote);
  }

  #open(payload: EncodedPayload): Uint8Array | undefined {
    for (const index of payload.recipientKeys.keys()) {
      const opened = this.#openBox(payload, index);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }

  #openWith(payload: EncodedPayload, to: Uint8Array): Uint8Array | undefined {
    const index = payload.recipientKeys.findIndex((key) => Buffer.compare(key, to) === 0);
    if (index < 0) throw new EnclaveError(500, "recipient not found in listed keys");
    this.#keys.get(to);
    return this.#openBox(payload, index);
  }

  /**
   * Keeps only the boxes that open here: others may be forged, and would block the valid ones.
   *
   * If none is for a key of this manager, it may have been sent from here; `undefined` if it was set aside then.
   */
  async #findReadable(
    payload: EncodedPayload,
    caller: Caller,
  ): Promise<EncodedPayload | undefined> {
    const isOwn = (key: Uint8Array) => this.#keys.has(key);
    const received = this.#withBoxes(payload, isOwn);
    if (received.recipientKeys.length > 0) return received;
    const returned = this.#withBoxes(payload, (key) => !isOwn(key));
    if (returned.recipientKeys.length > 0) return this.#returned.take(returned, caller);
    throw new EnclaveError(400, "the payload was not encrypted for a key of this manager");
  }

  /** Keeps only the boxes of some recipients that open here. */
  #withBoxes(payload: EncodedPayload, isWanted: (key: Uint8Array) => boolean): EncodedPayload {
    const kept = payload.recipientKeys.flatMap((key, index) =>
      isWanted(key) && this.#openBox(payload, index) !== undefined ? [index] : [],
    );
    const pick = (all: readonly Uint8Array[]) => kept.flatMap((index) => all[index] ?? []);
    return {
      ...payload,
      recipientKeys: pick(payload.recipientKeys),
      recipientBoxes: pick(payload.recipientBoxes),
    };
  }

  /** Recipients open their own box, the sender those of the others. */
  #openBox(payload: EncodedPayload, index: number): Uint8Array | undefined {
    const recipient = payload.recipientKeys[index];
    const box = payload.recipientBoxes[index];
    if (recipient === undefined || box === undefined) return undefined;
    const own = this.#keys.find(recipient);
    if (own !== undefined) return this.#sealer.open(payload, box, { own });
    const sender = this.#keys.find(payload.senderKey);
    return sender && this.#sealer.open(payload, box, { own: sender, other: recipient });
  }
}

/** Removes duplicates, keeping the order. */
function distinct(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...new Map([...keys].reverse().map((key) => [toBase64(key), key])).values()].reverse();
}
