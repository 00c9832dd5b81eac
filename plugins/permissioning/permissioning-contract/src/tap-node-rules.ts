import type { Address, NodeHooks, Runtime } from "@plinth/core";
import { type ContractVersion, NodeContract } from "./node-contract.js";
import { RuleContract } from "./rule-contract.js";

/**
 * Enforces a contract's rule on discovery and connections; connections are checked again at each
 * block.
 */
export function tapNodeRules(
  hooks: NodeHooks<Runtime>,
  address: Address,
  version: ContractVersion,
): void {
  let rules: NodeContract | undefined;
  const rulesOf = (runtime: Runtime) => {
    rules ??= new NodeContract(new RuleContract(address, runtime.chain.blocks), version, runtime);
    return rules;
  };
  const refusal = { message: `the contract ${address} does not allow it` };
  hooks.network.discover.tap(async ({ node, direction }, runtime) =>
    (await rulesOf(runtime).isAllowed(node, direction)) ? undefined : refusal,
  );
  hooks.network.connect.tap(async ({ peer, direction }, runtime) =>
    (await rulesOf(runtime).isAllowed(peer.enode, direction)) ? undefined : refusal,
  );
  hooks.chain.headChanged.tap(async (_, { network, sync }) => {
    // Not for each of thousands of blocks a minute.
    if (!sync.isSyncing) await network.recheck();
  });
}
