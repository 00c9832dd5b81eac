import { randomBytes } from "node:crypto";
import { getCrypto, PeerError, RlpError } from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import { decryptEcies, ECIES_OVERHEAD, type EciesSeed, encryptEcies } from "./ecies.js";
import {
  type Ack,
  type Auth,
  decodeAck,
  decodeAuth,
  decodeLegacyAck,
  decodeLegacyAuth,
  encodeAck,
  encodeAuth,
  encodeLegacyAck,
  LEGACY_ACK_BYTES,
  LEGACY_AUTH_BYTES,
  recoverEphemeralKey,
  signAuth,
} from "./handshake-messages.js";
import { deriveSecrets, type Secrets } from "./secrets.js";

/** The random values of one side of a handshake. */
export interface HandshakeSeed {
  readonly ephemeralPrivateKey: Uint8Array;
  readonly nonce: Uint8Array;
  readonly ecies: EciesSeed;
  readonly padding: Uint8Array;
}

/** Maximum size of a handshake message; real ones have less than 800 bytes. */
export const MAX_HANDSHAKE_BYTES = 2048;

const SIZE_BYTES = 2;
const MIN_PADDING = 100;
/** First byte of a message before EIP-8: the format byte of an uncompressed key. */
const LEGACY_MARK = 0x04;

/** Reads exactly that many bytes of a connection; rejects if it ends before. */
export type ReadBytes = (length: number) => Promise<Uint8Array>;

/** Random values for one handshake. */
export function createHandshakeSeed(): HandshakeSeed {
  return {
    ephemeralPrivateKey: createPrivateKey(),
    nonce: randomBytes(32),
    ecies: { privateKey: createPrivateKey(), iv: randomBytes(16) },
    padding: randomBytes(MIN_PADDING + (randomBytes(1)[0] ?? 0)),
  };
}

/** Performs the handshake as initiator. */
export async function initiate({
  nodeKey,
  remotePublicKey,
  seed,
  read,
  write,
}: {
  readonly nodeKey: NodeKey;
  readonly remotePublicKey: Uint8Array;
  readonly seed: HandshakeSeed;
  readonly read: ReadBytes;
  readonly write: (bytes: Uint8Array) => void;
}): Promise<Secrets> {
  const { nonce, ephemeralPrivateKey } = seed;
  const staticSecret = await nodeKey.agree(remotePublicKey);
  const signature = signAuth(staticSecret, nonce, ephemeralPrivateKey);
  const body = encodeAuth({ signature, publicKey: nodeKey.publicKey, nonce });
  const auth = sealEip8(body, remotePublicKey, seed);
  write(auth);
  const received = await readMessage(read, nodeKey, LEGACY_ACK_BYTES);
  const ack = decodeWith<Ack>(received, decodeAck, decodeLegacyAck);
  return deriveSecrets({
    isInitiator: true,
    ephemeralSecret: agreeEphemeral(ephemeralPrivateKey, ack.ephemeralPublicKey),
    initiatorNonce: nonce,
    responderNonce: ack.nonce,
    auth,
    ack: received.packet,
  });
}

/** Performs the handshake as recipient; also returns the identity of the initiator. */
export async function respond({
  nodeKey,
  seed,
  read,
  write,
}: {
  readonly nodeKey: NodeKey;
  readonly seed: HandshakeSeed;
  readonly read: ReadBytes;
  readonly write: (bytes: Uint8Array) => void;
}): Promise<{ readonly secrets: Secrets; readonly remotePublicKey: Uint8Array }> {
  const received = await readMessage(read, nodeKey, LEGACY_AUTH_BYTES);
  const auth = decodeWith<Auth>(received, decodeAuth, decodeLegacyAuth);
  const { nonce, ephemeralPrivateKey } = seed;
  const staticSecret = await agreeStatic(nodeKey, auth.publicKey);
  const remoteEphemeralKey = recoverEphemeralKey(auth, staticSecret);
  const answer = { ephemeralPublicKey: getCrypto().publicKeyOf(ephemeralPrivateKey), nonce };
  const ack = received.isLegacy
    ? sealLegacy(encodeLegacyAck(answer), auth.publicKey, seed)
    : sealEip8(encodeAck(answer), auth.publicKey, seed);
  write(ack);
  const secrets = await deriveSecrets({
    isInitiator: false,
    ephemeralSecret: agreeEphemeral(ephemeralPrivateKey, remoteEphemeralKey),
    initiatorNonce: auth.nonce,
    responderNonce: nonce,
    auth: received.packet,
    ack,
  });
  return { secrets, remotePublicKey: auth.publicKey };
}

interface Received {
  readonly packet: Uint8Array;
  readonly plain: Uint8Array;
  readonly isLegacy: boolean;
}

/** Decodes a message in either form: only one that could be from before EIP-8 is tried as such. */
async function readMessage(
  read: ReadBytes,
  nodeKey: NodeKey,
  legacyBytes: number,
): Promise<Received> {
  const agree = (publicKey: Uint8Array) => nodeKey.agree(publicKey);
  const first = await read(legacyBytes + ECIES_OVERHEAD);
  if (first[0] === LEGACY_MARK) {
    const plain = await decryptEcies(first, { agree, authenticated: new Uint8Array() }).catch(
      ignorePeerError,
    );
    if (plain !== undefined) return { packet: first, plain, isLegacy: true };
  }
  const size = ((first[0] ?? 0) << 8) | (first[1] ?? 0);
  const missing = SIZE_BYTES + size - first.length;
  if (missing < 0 || size > MAX_HANDSHAKE_BYTES) {
    throw new PeerError(
      "breach-of-protocol",
      `the handshake message has ${size} bytes, expected ${first.length - SIZE_BYTES} to ${MAX_HANDSHAKE_BYTES}`,
    );
  }
  const rest = missing === 0 ? new Uint8Array() : await read(missing);
  const packet = Buffer.concat([first, rest]);
  const authenticated = packet.subarray(0, SIZE_BYTES);
  const plain = await decryptEcies(packet.subarray(SIZE_BYTES), { agree, authenticated });
  return { packet, plain, isLegacy: false };
}

function ignorePeerError(error: unknown): undefined {
  if (!(error instanceof PeerError)) throw error;
  return undefined;
}

function decodeWith<T>(
  { plain, isLegacy }: Received,
  decode: (plain: Uint8Array) => T,
  decodeLegacy: (plain: Uint8Array) => T,
): T {
  try {
    return isLegacy ? decodeLegacy(plain) : decode(plain);
  } catch (cause) {
    if (!(cause instanceof RlpError)) throw cause;
    throw new PeerError("breach-of-protocol", "the handshake is not RLP", cause);
  }
}

function sealEip8(body: Uint8Array, publicKey: Uint8Array, seed: HandshakeSeed): Uint8Array {
  const plain = Buffer.concat([body, seed.padding]);
  const size = plain.length + ECIES_OVERHEAD;
  const authenticated = Uint8Array.of(size >> 8, size & 0xff);
  const secret = encryptEcies(plain, { publicKey, authenticated, seed: seed.ecies });
  return Buffer.concat([authenticated, secret]);
}

function sealLegacy(plain: Uint8Array, publicKey: Uint8Array, seed: HandshakeSeed): Uint8Array {
  return encryptEcies(plain, { publicKey, authenticated: new Uint8Array(), seed: seed.ecies });
}

async function agreeStatic(nodeKey: NodeKey, publicKey: Uint8Array): Promise<Uint8Array> {
  try {
    return await nodeKey.agree(publicKey);
  } catch (cause) {
    throw offCurve(cause);
  }
}

function agreeEphemeral(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  try {
    return getCrypto().agree(privateKey, publicKey);
  } catch (cause) {
    throw offCurve(cause);
  }
}

function offCurve(cause: unknown): unknown {
  if (!(cause instanceof RangeError)) return cause;
  return new PeerError("breach-of-protocol", "a key of the handshake is off the curve", cause);
}

function createPrivateKey(): Uint8Array {
  for (;;) {
    const candidate = randomBytes(32);
    if (getCrypto().isPrivateKey(candidate)) return candidate;
  }
}
