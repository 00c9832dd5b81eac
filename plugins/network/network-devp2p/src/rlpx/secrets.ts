import { loadRunningKeccak, type RunningKeccak } from "@plinth/core/primitives";
import { keccakOf, xor } from "./handshake-messages.js";

/** The secrets shared by both sides after the handshake. */
export interface Secrets {
  readonly aes: Uint8Array;
  readonly mac: Uint8Array;
  readonly egressMac: RunningKeccak;
  readonly ingressMac: RunningKeccak;
}

/** Derives the keys of a connection and the initial state of its MACs. */
export async function deriveSecrets({
  isInitiator,
  ephemeralSecret,
  initiatorNonce,
  responderNonce,
  auth,
  ack,
}: {
  readonly isInitiator: boolean;
  readonly ephemeralSecret: Uint8Array;
  readonly initiatorNonce: Uint8Array;
  readonly responderNonce: Uint8Array;
  /** Complete packets, as on the wire. */
  readonly auth: Uint8Array;
  readonly ack: Uint8Array;
}): Promise<Secrets> {
  const begin = await loadRunningKeccak();
  const shared = keccakOf(ephemeralSecret, keccakOf(responderNonce, initiatorNonce));
  const aes = keccakOf(ephemeralSecret, shared);
  const mac = keccakOf(ephemeralSecret, aes);
  const beginWith = (nonce: Uint8Array, packet: Uint8Array) => {
    const hash = begin();
    hash.update(xor(mac, nonce));
    hash.update(packet);
    return hash;
  };
  const ofInitiator = beginWith(responderNonce, auth);
  const ofResponder = beginWith(initiatorNonce, ack);
  return isInitiator
    ? { aes, mac, egressMac: ofInitiator, ingressMac: ofResponder }
    : { aes, mac, egressMac: ofResponder, ingressMac: ofInitiator };
}
