export { createTestNode, type TestNode, type TestNodeSettings } from "./create-test-node.js";
export {
  ALICE,
  BOB,
  DEV_GENESIS,
  devChain,
  signTransaction,
  type TransactionFields,
  transfer,
} from "./dev-chain.js";
export { createGate, type Gate } from "./gate.js";
export { exchangeText, type HttpReply, type HttpRequest, sendHttp } from "./http.js";
export type { Mine } from "./mine.js";
export { createTestEvm } from "./test-evm.js";
