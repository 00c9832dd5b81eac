import type { Address, Logger, NodeHooks, Runtime } from "@plinth/core";
import { AccountContract } from "./account-contract.js";
import { RuleContract } from "./rule-contract.js";

/** Enforces a contract's rule on the transactions of blocks: of this node, and of others. */
export function tapAccountRules(hooks: NodeHooks<Runtime>, address: Address, log: Logger): void {
  let rules: AccountContract | undefined;
  const rulesOf = ({ chain }: Runtime) => {
    rules ??= new AccountContract(new RuleContract(address, chain.blocks), log);
    return rules;
  };
  hooks.build.transaction.tap(async ({ candidate, draft }, runtime) => {
    const parent = runtime.chain.blocks.findHeader(draft.parentHash);
    const isAllowed = parent && (await rulesOf(runtime).isAllowed(candidate, parent));
    return isAllowed === true ? undefined : "skip";
  });
  hooks.chain.verifyBlock.tap(({ block, parent }, runtime) =>
    rulesOf(runtime).verifyBlock(block, parent),
  );
}
