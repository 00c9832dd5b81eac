import { createHash } from "node:crypto";
import {
  type EncodedPayload,
  NONCE_BYTES,
  PRIVACY_MODES,
  TAG_BYTES,
} from "../codec/encoded-payload.js";
import type { KeyPair } from "./key-pair.js";
import { SharedKeys } from "./shared-keys.js";
import type { Sodium } from "./sodium.js";

const MASTER_KEY_BYTES = 32;

/** Where nonces and keys come from; replaced in tests that know the outcome. */
export type RandomBytes = (length: number) => Uint8Array;

/** The hash by which a payload is asked for, as in Tessera's orion mode. */
export function hashOf({ cipherText }: Pick<EncodedPayload, "cipherText">): Uint8Array {
  return new Uint8Array(createHash("sha512-256").update(cipherText).digest());
}

/** Encrypts payloads, and opens those that were sealed for a key. */
export class Sealer {
  readonly #sodium: Sodium;
  readonly #random: RandomBytes;
  readonly #shared: SharedKeys;

  constructor(sodium: Sodium, random: RandomBytes = (length) => sodium.randombytes_buf(length)) {
    this.#sodium = sodium;
    this.#random = random;
    this.#shared = new SharedKeys(sodium);
  }

  /** Encrypts a payload; the key is sealed for each recipient, in this order. */
  seal(plaintext: Uint8Array, { sender, recipients, privacyGroupId }: Sealed): EncodedPayload {
    const masterKey = this.#random(MASTER_KEY_BYTES);
    const cipherTextNonce = this.#random(NONCE_BYTES);
    const recipientNonce = this.#random(NONCE_BYTES);
    try {
      return {
        senderKey: sender.publicKey,
        cipherText: this.#sodium.crypto_secretbox_easy(plaintext, cipherTextNonce, masterKey),
        cipherTextNonce,
        recipientBoxes: recipients.map((key) =>
          this.#sodium.crypto_secretbox_easy(
            masterKey,
            recipientNonce,
            this.#shared.of(key, sender),
          ),
        ),
        recipientNonce,
        recipientKeys: recipients,
        privacyMode: PRIVACY_MODES.standard,
        affected: [],
        ...(privacyGroupId === undefined ? {} : { privacyGroupId }),
      };
    } finally {
      this.#sodium.memzero(masterKey);
    }
  }

  /**
   * Opens a box of a payload with an own key; `undefined` when it was not made for it.
   *
   * The sender opens those of others as well: with its own key and that of the recipient.
   */
  open(
    { senderKey, recipientNonce, cipherText, cipherTextNonce }: EncodedPayload,
    box: Uint8Array,
    { own, other = senderKey }: { readonly own: KeyPair; readonly other?: Uint8Array },
  ): Uint8Array | undefined {
    const shared = this.#shared.find(other, own);
    const masterKey = shared && this.#openBox(box, recipientNonce, shared);
    if (masterKey === undefined) return undefined;
    try {
      return this.#openBox(cipherText, cipherTextNonce, masterKey);
    } finally {
      this.#sodium.memzero(masterKey);
    }
  }

  /** A payload with a box of its sender as well; `undefined` when the sender cannot open it. */
  addSender(payload: EncodedPayload, sender: KeyPair): EncodedPayload | undefined {
    const { recipientBoxes, recipientKeys, recipientNonce } = payload;
    const [box] = recipientBoxes;
    const [key] = recipientKeys;
    if (box === undefined || key === undefined) return undefined;
    const masterKey = this.#openBox(box, recipientNonce, this.#shared.of(key, sender));
    if (masterKey === undefined) return undefined;
    try {
      const shared = this.#shared.of(sender.publicKey, sender);
      const own = this.#sodium.crypto_secretbox_easy(masterKey, recipientNonce, shared);
      return {
        ...payload,
        recipientBoxes: [...recipientBoxes, own],
        recipientKeys: [...recipientKeys, sender.publicKey],
      };
    } finally {
      this.#sodium.memzero(masterKey);
    }
  }

  #openBox(box: Uint8Array, nonce: Uint8Array, key: Uint8Array): Uint8Array | undefined {
    if (box.length < TAG_BYTES) return undefined;
    try {
      return this.#sodium.crypto_secretbox_open_easy(box, nonce, key);
    } catch {
      // The library says no more than that the tag does not fit.
      return undefined;
    }
  }

  /** Wipes the keys that were derived. */
  close(): void {
    this.#shared.clear();
  }
}

/** For whom a payload is encrypted. */
export interface Sealed {
  readonly sender: KeyPair;
  readonly recipients: readonly Uint8Array[];
  readonly privacyGroupId?: Uint8Array;
}
