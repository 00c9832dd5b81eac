import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  type Decipher,
  timingSafeEqual,
} from "node:crypto";
import { PeerError } from "@plinth/core";
import type { ByteQueue } from "./byte-queue.js";
import { FrameMac } from "./frame-mac.js";
import type { Secrets } from "./secrets.js";

const HEADER_BYTES = 16;
const MAC_BYTES = 16;
/** Capability id and context id, both unused and zero. */
const HEADER_DATA = [0xc2, 0x80, 0x80];
const ZERO_IV = new Uint8Array(16);
const MAX_BODY_BYTES = 2 ** 24 - 1;

/** Encrypts frames in the order they are sent. */
export class FrameEncoder {
  readonly #cipher: Cipher;
  readonly #mac: FrameMac;

  constructor({ aes, mac, egressMac }: Secrets) {
    this.#cipher = createCipheriv("aes-256-ctr", aes, ZERO_IV);
    this.#mac = new FrameMac(egressMac, mac);
  }

  /** One frame as one buffer, so that it is sent in one write. */
  encode(body: Uint8Array): Uint8Array {
    if (body.length > MAX_BODY_BYTES) {
      throw new RangeError(
        `a frame of ${body.length} bytes is too large; at most ${MAX_BODY_BYTES}`,
      );
    }
    const plain = Buffer.alloc(HEADER_BYTES);
    plain.writeUIntBE(body.length, 0, 3);
    plain.set(HEADER_DATA, 3);
    const header = this.#cipher.update(plain);
    const headerMac = this.#mac.header(header);
    const padded = Buffer.alloc(paddedLength(body.length));
    padded.set(body);
    const secret = this.#cipher.update(padded);
    this.#mac.update(secret);
    return Buffer.concat([header, headerMac, secret, this.#mac.body()]);
  }
}

/** Decodes frames from buffered bytes; MACs are verified before anything is decrypted. */
export class FrameDecoder {
  readonly #decipher: Decipher;
  readonly #mac: FrameMac;
  /** Size of the pending body, once its header was read. */
  #bodyBytes: number | undefined;
  /**
   * Number of body bytes already in the MAC: each part as it arrives, so that no step takes long.
   */
  #hashed = 0;

  constructor({ aes, mac, ingressMac }: Secrets) {
    this.#decipher = createDecipheriv("aes-256-ctr", aes, ZERO_IV);
    this.#mac = new FrameMac(ingressMac, mac);
  }

  /** Whether a header was read whose body has not arrived. */
  get isInside(): boolean {
    return this.#bodyBytes !== undefined;
  }

  /**
   * The next body; `undefined` until it has arrived. Bodies above the limit are rejected by their
   * header.
   */
  decode(arrived: ByteQueue, maxBytes: number): Uint8Array | undefined {
    this.#bodyBytes ??= this.#readHeader(arrived, maxBytes);
    const length = this.#bodyBytes;
    if (length === undefined) return undefined;
    const secretBytes = paddedLength(length);
    const part = arrived.view(this.#hashed, secretBytes);
    this.#mac.update(part);
    this.#hashed += part.length;
    const bytes = arrived.take(secretBytes + MAC_BYTES);
    if (bytes === undefined) return undefined;
    this.#bodyBytes = undefined;
    this.#hashed = 0;
    verifyMac("body", this.#mac.body(), bytes.subarray(secretBytes));
    const secret = bytes.subarray(0, secretBytes);
    return this.#decipher.update(secret).subarray(0, length);
  }

  #readHeader(arrived: ByteQueue, maxBytes: number): number | undefined {
    const bytes = arrived.take(HEADER_BYTES + MAC_BYTES);
    if (bytes === undefined) return undefined;
    const secret = bytes.subarray(0, HEADER_BYTES);
    verifyMac("header", this.#mac.header(secret), bytes.subarray(HEADER_BYTES));
    const length = this.#decipher.update(secret).readUIntBE(0, 3);
    if (length === 0) throw new PeerError("breach-of-protocol", "a frame is empty");
    if (length <= maxBytes) return length;
    throw new PeerError(
      "breach-of-protocol",
      `a frame has ${length} bytes, expected at most ${maxBytes}`,
    );
  }
}

function verifyMac(part: string, expected: Uint8Array, actual: Uint8Array): void {
  if (timingSafeEqual(expected, actual)) return;
  throw new PeerError("breach-of-protocol", `the ${part} of a frame has a wrong MAC`);
}

function paddedLength(length: number): number {
  return Math.ceil(length / 16) * 16;
}
