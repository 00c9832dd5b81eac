import { addToList, getList, removeFromList } from "./list-methods.js";
import { accounts, nodes } from "./perm-call.js";
import { reloadPermissionsFromFile } from "./reload-permissions-from-file.js";

const ACCOUNT = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const NODE = `enode://${"ab".repeat(64)}@127.0.0.1:30303`;

const getAccountsAllowlist = getList(accounts, ACCOUNT);
const addAccountsToAllowlist = addToList(accounts, ACCOUNT);
const removeAccountsFromAllowlist = removeFromList(accounts, ACCOUNT);
const getNodesAllowlist = getList(nodes, NODE);
const addNodesToAllowlist = addToList(nodes, NODE);
const removeNodesFromAllowlist = removeFromList(nodes, NODE);

/** The methods, including their deprecated names. */
export const methods = {
  getAccountsAllowlist,
  addAccountsToAllowlist,
  removeAccountsFromAllowlist,
  getNodesAllowlist,
  addNodesToAllowlist,
  removeNodesFromAllowlist,
  reloadPermissionsFromFile,
  getAccountsWhitelist: getAccountsAllowlist,
  addAccountsToWhitelist: addAccountsToAllowlist,
  removeAccountsFromWhitelist: removeAccountsFromAllowlist,
  getNodesWhitelist: getNodesAllowlist,
  addNodesToWhitelist: addNodesToAllowlist,
  removeNodesFromWhitelist: removeNodesFromAllowlist,
};
