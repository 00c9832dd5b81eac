export { type AllocInFile, type Genesis, genesisError, parseGenesis } from "./genesis.js";
export { type NamedNetwork, namedNetworks } from "./named-network.js";
export { overrideConfig } from "./override-config.js";
