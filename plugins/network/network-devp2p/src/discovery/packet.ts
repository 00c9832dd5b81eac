import { decodeRlp, encodeRlp, getCrypto, keccak256, RlpError, toHex } from "@plinth/core";
import type { NodeId } from "@plinth/core/network";
import { rlpLength, type Signature } from "@plinth/core/primitives";
import {
  InvalidPacket,
  type Message,
  messageFromRlp,
  messageToRlp,
  PACKET_TYPES,
} from "./messages.js";

/** Maximum size of a packet. */
export const MAX_PACKET_BYTES = 1280;

const HASH_END = 32;
const SIGNATURE_END = HASH_END + 65;
const HEAD_BYTES = SIGNATURE_END + 1;

/** A message with its sender, whose signature was verified. */
export interface Packet {
  readonly id: NodeId;
  readonly publicKey: Uint8Array;
  /** The hash that responses refer to. */
  readonly hash: Uint8Array;
  readonly message: Message;
}

/** A datagram: hash, signature, type, list. */
export async function encodePacket(
  message: Message,
  sign: (hash: Uint8Array) => Promise<Signature>,
): Promise<{ readonly hash: Uint8Array; readonly datagram: Uint8Array }> {
  const type = Uint8Array.of(PACKET_TYPES[message.name]);
  const content = Buffer.concat([type, encodeRlp(messageToRlp(message))]);
  const { r, s, recovery } = await sign(keccak256(content));
  const signed = Buffer.concat([r, s, Uint8Array.of(recovery), content]);
  const hash = keccak256(signed);
  return { hash, datagram: Buffer.concat([hash, signed]) };
}

/**
 * Decodes a datagram; throws `InvalidPacket` if it is malformed. Bytes after the list are ignored
 * (EIP-8).
 */
export function decodePacket(datagram: Uint8Array): Packet {
  if (datagram.length < HEAD_BYTES + 1 || datagram.length > MAX_PACKET_BYTES) {
    throw new InvalidPacket(`a datagram of ${datagram.length} bytes`);
  }
  const signed = datagram.subarray(HASH_END);
  const hash = Uint8Array.from(datagram.subarray(0, HASH_END));
  if (Buffer.compare(keccak256(signed), hash) !== 0) throw new InvalidPacket("a wrong hash");
  const content = datagram.subarray(SIGNATURE_END);
  const publicKey = recoverKey(datagram.subarray(HASH_END, SIGNATURE_END), content);
  const message = decodeContent(datagram[SIGNATURE_END] ?? 0, datagram.subarray(HEAD_BYTES));
  return { id: toHex(publicKey), publicKey, hash, message };
}

function decodeContent(type: number, data: Uint8Array): Message {
  try {
    return messageFromRlp(type, decodeRlp(data.subarray(0, rlpLength(data))));
  } catch (error) {
    if (error instanceof RlpError) throw new InvalidPacket(error.message, { cause: error });
    throw error;
  }
}

function recoverKey(signature: Uint8Array, content: Uint8Array): Uint8Array {
  const recovery = signature[64];
  if (recovery !== 0 && recovery !== 1) throw new InvalidPacket(`recovery byte ${recovery}`);
  const parts = { r: signature.slice(0, 32), s: signature.slice(32, 64), recovery } as const;
  try {
    return getCrypto().recover(keccak256(content), parts);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new InvalidPacket("the signature is invalid", { cause });
  }
}
