export { createTestNode, type TestNode, type TestNodeSettings } from "./create-test-node.js";
