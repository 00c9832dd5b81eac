export { findBasePort, MAX_BASE_PORT } from "./choose-ports.js";
export { createNetwork, writeNode } from "./create-network.js";
export { DEFAULT_NETWORK } from "./default-network.js";
export { describePorts } from "./describe-ports.js";
export { DEV_ACCOUNTS } from "./dev-accounts.js";
export { verifyDiskSpace } from "./disk-space.js";
export { findTemplate } from "./find-template.js";
export {
  findNetwork,
  NETWORK_FILE,
  type Network,
  type NetworkNode,
  networkFileText,
} from "./network.js";
export { LOG_FILE } from "./node-files.js";
export { planNextNode } from "./plan-network.js";
export { verifyFreePorts } from "./ports.js";
export { formatJoining } from "./readme-text.js";
