export { createTestNode, type TestNode, type TestNodeSettings } from "./create-test-node.js";
export { createGate, type Gate } from "./gate.js";
export { exchangeText, type HttpReply, type HttpRequest, sendHttp } from "./http.js";
export { createTestEvm } from "./test-evm.js";
