import { getCrypto, type Hex, hexToBytes, loadCrypto } from "@plinth/core";
import type { Crypto } from "@plinth/core/primitives";
import type { Dialect, Proposal, RoundChange, Sign } from "@plinth/kit-bft";

const MAX_ENTRIES = 20_000;

/** The keys of simulated validators, with their public keys. */
const publicKeys = new Map<Hex, Uint8Array>();
let loading: Promise<Crypto> | undefined;

/**
 * Loads the cryptography, and lets it recover the signatures of `createSimulatedSign`.
 *
 * Real signatures are recovered as usual, so that other tests of the process are unaffected.
 */
export function loadSimulatedCrypto(): Promise<Crypto> {
  loading ??= createSimulatedCrypto();
  return loading;
}

async function createSimulatedCrypto(): Promise<Crypto> {
  const crypto = await loadCrypto();
  const { recover } = crypto;
  const recovered = new Map<string, Uint8Array>();
  const simulated: Crypto["recover"] = (hash, signature) => {
    const { r, s, recovery } = signature;
    const key = Buffer.concat([hash, r, s, Uint8Array.of(recovery)]).toString("latin1");
    const known = recovered.get(key) ?? findSigner(hash, r) ?? recover(hash, signature);
    keep(recovered, key, known);
    return known;
  };
  return Object.assign(crypto, { recover: simulated });
}

/**
 * Signs for a simulated validator at the cost of a hash: otherwise half of the time of a run would
 * be spent on the curve.
 *
 * The signature of a hash can only be derived from the key, as required.
 */
export function createSimulatedSign(key: Hex): Sign {
  const crypto = getCrypto();
  if (!publicKeys.has(key)) publicKeys.set(key, crypto.publicKeyOf(hexToBytes(key)));
  return async (hash) => {
    const r = mark(key, hexToBytes(hash));
    return { r, s: crypto.keccak256(r), recovery: 0 };
  };
}

/** The same dialect; a decoded message is not decoded again. */
export function memoised<P extends Proposal, R extends RoundChange>(
  dialect: Dialect<P, R>,
): Dialect<P, R> {
  type Message = ReturnType<Dialect<P, R>["decode"]>;
  const messages = new Map<string, Message>();
  // The same bytes go to all validators.
  const byBytes = new WeakMap<Uint8Array, Message>();
  return {
    ...dialect,
    decode(code, payload, maxAuthors) {
      const found = byBytes.get(payload);
      if (found?.code === code) return found;
      const key = `${code} ${Buffer.from(payload).toString("latin1")}`;
      const known = messages.get(key) ?? dialect.decode(code, payload, maxAuthors);
      keep(messages, key, known);
      byBytes.set(payload, known);
      return known;
    },
  };
}

function findSigner(hash: Uint8Array, r: Uint8Array): Uint8Array | undefined {
  for (const [key, publicKey] of publicKeys) {
    if (Buffer.compare(mark(key, hash), r) === 0) return publicKey;
  }
  return undefined;
}

function mark(key: Hex, hash: Uint8Array): Uint8Array {
  return getCrypto().keccak256(Buffer.concat([hexToBytes(key), hash]));
}

function keep<V>(entries: Map<string, V>, key: string, value: V): void {
  if (entries.has(key)) return;
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
}
