export { type Genesis, parseGenesis } from "./genesis.js";
export { type AllocInFile, type GenesisContent, readGenesisFile } from "./genesis-file.js";
export { type NamedNetwork, namedNetworks } from "./named-network.js";
export { overrideConfig } from "./override-config.js";
export { type MemberScan, type ScannedMember, scanMembers } from "./scan-members.js";
