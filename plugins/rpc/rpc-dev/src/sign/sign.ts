import { type Address, getCrypto, keccak256, RpcError, toHex } from "@plinth/core";
import type { Dev } from "../dev.js";

/** Prefix of wallet messages, so that no transaction can be mistaken for one (EIP-191). */
const PREFIX = "\u0019Ethereum Signed Message:\n";
const V_OFFSET = 27;

/** The hash of a message as wallets sign it. */
export function hashMessage(message: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([Buffer.from(`${PREFIX}${message.length}`), message]));
}

/** Signs a hash with the key of an unlocked account; returns r, s and v, 65 bytes. */
export function signAs(address: Address, hash: Uint8Array, { senders }: Dev): string {
  const { r, s, recovery } = getCrypto().sign(hash, keyOf(address, senders));
  return toHex(Buffer.concat([r, s, Uint8Array.of(recovery + V_OFFSET)]));
}

/** The key of an unlocked account; throws an RPC error if there is none. */
export function keyOf(address: Address, senders: Dev["senders"]): Uint8Array {
  const key = senders.keyOf(address);
  if (key !== undefined) return key;
  throw new RpcError(
    -32000,
    `unknown account ${address}: its key is missing; plinth dev and --dev-unlocked-accounts=true unlock the listed accounts`,
  );
}
