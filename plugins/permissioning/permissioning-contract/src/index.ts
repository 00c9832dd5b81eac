import { definePlugin } from "@plinth/core";
import { contractAddress } from "./contract-address.js";
import { options } from "./options.js";
import { tapAccountRules } from "./tap-account-rules.js";
import { tapNodeRules } from "./tap-node-rules.js";

export default definePlugin({
  name: "permissioning-contract",
  options,
  setup({ config, hooks, log }) {
    const {
      permissionsAccountsContractEnabled: usesAccounts,
      permissionsAccountsContractAddress: accountsAt,
      permissionsNodesContractEnabled: usesNodes,
      permissionsNodesContractAddress: nodesAt,
      permissionsNodesContractVersion: version,
    } = config;
    const accounts = contractAddress("account", usesAccounts, accountsAt);
    const nodes = contractAddress("node", usesNodes, nodesAt);
    if (accounts !== undefined) tapAccountRules(hooks, accounts, log);
    if (nodes !== undefined) tapNodeRules(hooks, nodes, version === 2 ? 2 : 1);
  },
});
