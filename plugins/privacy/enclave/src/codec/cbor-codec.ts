import { fromBase64, KEY_BYTES, toBase64 } from "@plinth/kit-enclave";
import { MAX_ITEMS } from "./binary.js";
import { type CborValue, decodeCbor, encodeCbor } from "./cbor.js";
import { BOX_BYTES, type EncodedPayload, NONCE_BYTES } from "./encoded-payload.js";
import { MalformedBytes } from "./errors.js";
import { verifyPrivacyMode } from "./legacy-codec.js";

/** Encodes a payload in the format of API version 5.0 between managers. */
export function encodeCborPayload(payload: EncodedPayload): Uint8Array {
  const affected = new Map(payload.affected.map(([hash, seal]) => [toBase64(hash), seal]));
  const members: readonly (readonly [string, CborValue])[] = [
    ["sender", payload.senderKey],
    ["cipherText", payload.cipherText],
    ["nonce", payload.cipherTextNonce],
    ["recipientNonce", payload.recipientNonce],
    ["recipientBoxes", payload.recipientBoxes],
    ["recipients", payload.recipientKeys],
    ["privacyFlag", payload.privacyMode],
    ["affected", affected],
    ["execHash", payload.execHash ?? new Uint8Array()],
    ["mandatoryFor", payload.mandatoryRecipients ?? []],
    ["privacyGroupId", payload.privacyGroupId ?? new Uint8Array()],
  ];
  return encodeCbor(new Map(members));
}

/** Decodes a payload of that format. */
export function decodeCborPayload(bytes: Uint8Array): EncodedPayload {
  const value = decodeCbor(bytes);
  if (!(value instanceof Map)) throw new MalformedBytes("payload: expected a map");
  const members = new Members(value);
  const execHash = members.bytes("execHash");
  const mandatoryRecipients = members.list("mandatoryFor", KEY_BYTES);
  const privacyGroupId = members.bytes("privacyGroupId");
  return {
    senderKey: members.bytes("sender", KEY_BYTES),
    cipherText: members.bytes("cipherText"),
    cipherTextNonce: members.bytes("nonce", NONCE_BYTES),
    recipientNonce: members.bytes("recipientNonce", NONCE_BYTES),
    recipientBoxes: members.list("recipientBoxes", BOX_BYTES),
    recipientKeys: members.list("recipients", KEY_BYTES),
    privacyMode: verifyPrivacyMode(members.get("privacyFlag")),
    affected: members.pairs("affected"),
    ...(execHash.length === 0 ? {} : { execHash }),
    ...(mandatoryRecipients.length === 0 ? {} : { mandatoryRecipients }),
    ...(privacyGroupId.length === 0
      ? {}
      : { privacyGroupId: verifyLength("privacyGroupId", privacyGroupId, KEY_BYTES) }),
  };
}

class Members {
  readonly #map: ReadonlyMap<string, CborValue>;

  constructor(map: ReadonlyMap<string, CborValue>) {
    this.#map = map;
  }

  get(name: string): CborValue | undefined {
    return this.#map.get(name);
  }

  bytes(name: string, length?: number): Uint8Array {
    return verifyBytes(name, this.get(name), length);
  }

  list(name: string, length: number): readonly Uint8Array[] {
    const value = this.get(name);
    if (!Array.isArray(value)) throw new MalformedBytes(`${name}: expected a list`);
    if (value.length > MAX_ITEMS) {
      throw new MalformedBytes(`${name}: ${value.length} items, at most ${MAX_ITEMS}`);
    }
    return value.map((item) => verifyBytes(name, item, length));
  }

  pairs(name: string): readonly (readonly [Uint8Array, Uint8Array])[] {
    const value = this.get(name);
    if (!(value instanceof Map)) throw new MalformedBytes(`${name}: expected a map`);
    return Array.from(
      value,
      ([hash, seal]) => [fromBase64(hash, name), verifyBytes(name, seal)] as const,
    );
  }
}

function verifyBytes(name: string, value: CborValue | undefined, length?: number): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new MalformedBytes(`${name}: expected bytes`);
  return length === undefined ? value : verifyLength(name, value, length);
}

function verifyLength(name: string, bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  throw new MalformedBytes(`${name}: ${bytes.length} bytes, expected ${length}`);
}
