import type { Address, Enode, NodeHooks, Runtime } from "@plinth/core";

const UNAUTHORIZED = {
  message: "Sender account not authorized to send transactions",
  isUnauthorized: true,
};
const UNLISTED = { message: "it is not in the nodes-allowlist" };

/** Refuses transactions of accounts, and leaves those that wait out of blocks. */
export function tapAccountRules(
  hooks: NodeHooks<Runtime>,
  isPermitted: (account: Address) => boolean,
): void {
  hooks.pool.admit.tap(({ sender }) => (isPermitted(sender) ? undefined : UNAUTHORIZED));
  hooks.build.transaction.tap(({ candidate }) =>
    isPermitted(candidate.sender) ? undefined : "skip",
  );
}

/** Keeps nodes out of the discovery table, and refuses connections with them. */
export function tapNodeRules(
  hooks: NodeHooks<Runtime>,
  isPermitted: (node: Enode) => Promise<boolean>,
): void {
  const verdictOn = async (node: Enode) => ((await isPermitted(node)) ? undefined : UNLISTED);
  hooks.network.discover.tap(({ node }) => verdictOn(node));
  hooks.network.connect.tap(({ peer }) => verdictOn(peer.enode));
}
