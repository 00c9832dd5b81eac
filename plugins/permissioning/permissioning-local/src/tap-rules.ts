import type { Address, Logger, NodeHooks, Runtime } from "@plinth/core";
import { type Enode, formatEnode } from "@plinth/core/network";

const UNAUTHORIZED = {
  message: "Sender account not authorized to send transactions",
  isUnauthorized: true,
};
const UNLISTED = { message: "it is not in the nodes-allowlist" };

/** Rejects transactions of unlisted accounts, and excludes pending ones from blocks. */
export function tapAccountRules(
  hooks: NodeHooks<Runtime>,
  isPermitted: (account: Address) => boolean,
  log: Logger,
): void {
  hooks.pool.admit.tap(({ sender }) => {
    if (isPermitted(sender)) return undefined;
    log.debug(`a transaction of ${sender} is rejected: it is not in the accounts-allowlist`);
    return UNAUTHORIZED;
  });
  hooks.build.transaction.tap(({ candidate }) =>
    isPermitted(candidate.sender) ? undefined : "skip",
  );
}

/** Keeps unlisted nodes out of the discovery table, and rejects connections to them. */
export function tapNodeRules(
  hooks: NodeHooks<Runtime>,
  isPermitted: (node: Enode) => Promise<boolean>,
  log: Logger,
): void {
  const verdictOn = async (node: Enode) => {
    if (await isPermitted(node)) return undefined;
    log.debug(`${formatEnode(node)} is refused: ${UNLISTED.message}`);
    return UNLISTED;
  };
  hooks.network.discover.tap(({ node }) => verdictOn(node));
  hooks.network.connect.tap(({ peer }) => verdictOn(peer.enode));
}
