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

/** Source of nonces and keys; replaced in tests with known results. */
export type RandomBytes = (length: number) => Uint8Array;

/** The hash that identifies a payload, as in Tessera's orion mode. */
export function hashOf({ cipherText }: Pick<EncodedPayload, "cipherText">): Uint8Array {
  return new Uint8Array(createHash("sha512-256").update(cipherText).digest());
}

/** Encrypts payloads, and decrypts those sealed for a key. */
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
   * Opens a box of a payload with an own key; `undefined` if it was not sealed for it.
   *
   * The sender can also open the boxes of others, with its own key and the recipient's.
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

  /** Adds a box for the sender to a payload; `undefined` if the sender cannot decrypt it. */
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
      // The library reports only that the tag does not match.
      return undefined;
    }
  }

  /** Wipes the derived keys. */
  close(): void {
    this.#shared.clear();
  }
}

/** The recipients of an encrypted payload. */
export interface Sealed {
  readonly sender: KeyPair;
  readonly recipients: readonly Uint8Array[];
  readonly privacyGroupId?: Uint8Array;
}
