import { type Crypto, loadCrypto } from "@plinth/core";
import type { Dialect, Proposal, RoundChange } from "@plinth/kit-bft";

const MAX_ENTRIES = 20_000;

/** Loads the cryptography; a signature whose key was recovered once is not recovered again. */
export async function loadMemoisedCrypto(): Promise<Crypto> {
  const crypto = await loadCrypto();
  const { recover } = crypto;
  const recovered = new Map<string, Uint8Array>();
  const memoised: Crypto["recover"] = (hash, signature) => {
    const { r, s, recovery } = signature;
    const key = Buffer.concat([hash, r, s, Uint8Array.of(recovery)]).toString("latin1");
    const known = recovered.get(key) ?? recover(hash, signature);
    keep(recovered, key, known);
    return known;
  };
  return Object.assign(crypto, { recover: memoised });
}

/** The same dialect; a message that was read once is not read again. */
export function memoised<P extends Proposal, R extends RoundChange>(
  dialect: Dialect<P, R>,
): Dialect<P, R> {
  const messages = new Map<string, ReturnType<Dialect<P, R>["decode"]>>();
  return {
    ...dialect,
    decode(code, payload, maxAuthors) {
      const key = `${code} ${Buffer.from(payload).toString("latin1")}`;
      const known = messages.get(key) ?? dialect.decode(code, payload, maxAuthors);
      keep(messages, key, known);
      return known;
    },
  };
}

function keep<V>(entries: Map<string, V>, key: string, value: V): void {
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
}
