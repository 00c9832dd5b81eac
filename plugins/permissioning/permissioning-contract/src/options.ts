import { option } from "@plinth/core";

/** The contracts in use, and their addresses. */
export const options = {
  permissionsAccountsContractEnabled: option.flag({
    summary: "Lets a contract decide which transactions are allowed.",
    default: false,
  }),
  permissionsAccountsContractAddress: option.address({
    summary: "Address of the contract that decides about transactions.",
    needs: "permissionsAccountsContractEnabled",
  }),
  permissionsNodesContractEnabled: option.flag({
    summary: "Lets a contract decide which nodes may connect.",
    default: false,
  }),
  permissionsNodesContractAddress: option.address({
    summary: "Address of the contract that decides about nodes.",
    needs: "permissionsNodesContractEnabled",
  }),
  permissionsNodesContractVersion: option.integer({
    summary: "Interface of the contract: 1 passes both ends of a connection, 2 a single node.",
    default: 1,
    min: 1,
    max: 2,
    needs: "permissionsNodesContractEnabled",
  }),
};
