export { ACCOUNTS, ALICE, BOB, CAROL, DAVE, type TestAccount } from "./accounts.js";
export { connectDuplex, type DuplexCaller, type Notification } from "./connect.js";
export { createTestNode, type TestNode, type TestNodeSettings } from "./create-test-node.js";
export {
  DEV_GENESIS,
  devChain,
  signTransaction,
  type TransactionFields,
  transfer,
} from "./dev-chain.js";
export { createGate, type Gate } from "./gate.js";
export { exchangeText, type HttpReply, type HttpRequest, sendHttp } from "./http.js";
export { createInside } from "./inside.js";
export { LOG_GENESIS, LOGGER, signLog } from "./log-chain.js";
export type { Mine } from "./mine.js";
export type { Reorganise } from "./reorganise.js";
export type { CommandInput, CommandOutput } from "./run-command.js";
export { storageDriverContract } from "./storage-driver-contract.js";
export { createTestEvm, type EvmName, evms, testEvm } from "./test-evm.js";
export { toJson } from "./to-json.js";
