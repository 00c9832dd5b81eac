import { PeerError } from "@plinth/core";
import {
  decodeSnappy,
  decodeSnappyInTurns,
  encodeSnappy,
  InvalidSnappy,
  readSnappyLength,
} from "@plinth/kit-snappy";

/** Maximum payload of a message, before compression. */
export const MAX_MESSAGE_BYTES = 10 * 2 ** 20;
/**
 * Maximum frame size: that payload with the overhead of compression, and a message id of up to five
 * bytes.
 */
export const MAX_FRAME_BYTES = MAX_MESSAGE_BYTES + Math.ceil(MAX_MESSAGE_BYTES / 6) + 64;

/** A message id and its data, still compressed. */
export interface RawMessage {
  readonly id: number;
  readonly data: Uint8Array;
}

/** Prefixes a payload with its id: an RLP integer, so that 0 is the byte 0x80. */
export function encodeMessage(id: number, payload: Uint8Array, isCompressed: boolean): Uint8Array {
  const data = isCompressed ? encodeSnappy(payload) : payload;
  const prefix = encodeId(id);
  const body = new Uint8Array(prefix.length + data.length);
  body.set(prefix);
  body.set(data, prefix.length);
  return body;
}

/** Splits a frame's body into id and data. */
export function decodeMessage(body: Uint8Array): RawMessage {
  const first = body[0] ?? 0;
  if (first < 0x80) {
    // Strictly, 0 is 0x80, but a zero byte is accepted as the same.
    return { id: first, data: body.subarray(1) };
  }
  const size = first - 0x80;
  if (size > 4 || body.length < 1 + size) {
    throw new PeerError("breach-of-protocol", "a message has no id");
  }
  const id = body.subarray(1, 1 + size).reduce((sum, byte) => sum * 256 + byte, 0);
  return { id, data: body.subarray(1 + size) };
}

/** Uncompressed size of a message, without decompressing it; throws if it is too large. */
export function payloadLength(data: Uint8Array, isCompressed: boolean, maxBytes: number): number {
  const length = isCompressed ? orPeerError(() => readSnappyLength(data)) : data.length;
  if (length <= maxBytes) return length;
  throw new PeerError(
    "breach-of-protocol",
    `a message has ${length} bytes, expected at most ${maxBytes}`,
  );
}

/** The payload of a message; its declared length is checked before it is decompressed. */
export function decodePayload(
  data: Uint8Array,
  isCompressed: boolean,
  maxBytes: number,
): Uint8Array {
  payloadLength(data, isCompressed, maxBytes);
  return isCompressed ? orPeerError(() => decodeSnappy(data, maxBytes)) : data;
}

/** The payload of a long message; yields while it is decompressed. */
export async function decodePayloadInTurns(
  data: Uint8Array,
  isCompressed: boolean,
  maxBytes: number,
): Promise<Uint8Array> {
  return isCompressed ? decodeSnappyInTurns(data, maxBytes).catch(throwPeerError) : data;
}

function encodeId(id: number): Uint8Array {
  if (id === 0) return Uint8Array.of(0x80);
  if (id < 0x80) return Uint8Array.of(id);
  return id < 0x100 ? Uint8Array.of(0x81, id) : Uint8Array.of(0x82, id >> 8, id & 0xff);
}

function orPeerError<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    return throwPeerError(error);
  }
}

/** A peer that sends invalid compressed data is at fault. */
function throwPeerError(error: unknown): never {
  if (!(error instanceof InvalidSnappy)) throw error;
  throw new PeerError("breach-of-protocol", `a message is ${error.message}`);
}
