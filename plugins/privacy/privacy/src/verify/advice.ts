import type { Difference } from "./difference.js";

/** What an operator does about a difference. */
export function adviceFor({ own, theirs }: Difference, privacyGroupId: string): string {
  const cure = `"plinth enclave resend", then "plinth privacy rebuild --group=${privacyGroupId}"`;
  const [here, there] = [own?.transactions ?? 0, theirs?.transactions ?? 0];
  if (here < there) return `this node lacks a private transaction that the member has run: ${cure}`;
  if (here > there) {
    return `the member lacks a private transaction that this node has run: ${cure} at the member`;
  }
  return `both have run as many private transactions, and came to other states: compare --privacy-nonce-always-increments, --privacy-gas-cap and config.privacy of both nodes; the one that is wrong runs "plinth privacy rebuild --group=${privacyGroupId}"`;
}
