import type { Difference } from "./difference.js";

/** What an operator should do about a difference. */
export function adviceFor({ own, theirs }: Difference, privacyGroupId: string): string {
  const cure = `"plinth enclave resend", then "plinth privacy rebuild --group=${privacyGroupId}"`;
  const [here, there] = [own?.transactions ?? 0, theirs?.transactions ?? 0];
  if (here < there)
    return `this node lacks a private transaction that the member has executed: ${cure}`;
  if (here > there) {
    return `the member lacks a private transaction that this node has executed: ${cure} at the member`;
  }
  return `both have executed the same number of private transactions with different states: compare --privacy-nonce-always-increments, --privacy-gas-cap and config.privacy of both nodes; on the one that is wrong run "plinth privacy rebuild --group=${privacyGroupId}"`;
}
