const BESU = "org.hyperledger.besu";

/** Besu packages and the matching loggers of this node; a trailing `*` matches any suffix. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  cli: ["plinth"],
  "consensus.clique": ["consensus-clique", "rpc-clique"],
  "consensus.common.bft": ["consensus-ibft", "consensus-qbft"],
  "consensus.ibft": ["consensus-ibft", "rpc-ibft"],
  "consensus.merge": ["consensus-pos"],
  "consensus.qbft": ["consensus-qbft", "rpc-qbft"],
  enclave: ["enclave*", "privacy"],
  "ethereum.api.graphql": ["graphql"],
  "ethereum.api.handlers": ["rpc", "transport-*"],
  "ethereum.api.jsonrpc": ["rpc*", "transport-*", "authentication", "request-log"],
  "ethereum.api.query": ["log-index"],
  "ethereum.blockcreation": ["core", "consensus-*"],
  "ethereum.chain": ["core"],
  "ethereum.core": ["core"],
  "ethereum.eth.manager": ["protocol-eth"],
  "ethereum.eth.sync": ["sync-full", "sync-snap", "protocol-eth"],
  "ethereum.eth.transactions": ["core", "pool-file", "protocol-eth"],
  "ethereum.mainnet": ["core"],
  "ethereum.p2p": ["network*"],
  "ethereum.permissioning": ["permissioning-*", "rpc-perm"],
  "ethereum.privacy": ["privacy", "enclave*", "rpc-priv", "rpc-eea"],
  "ethereum.storage": ["storage-*"],
  "ethereum.trie": ["core"],
  "ethereum.worldstate": ["core"],
  evm: ["evm-*"],
  metrics: ["metrics-*"],
  nat: ["network-*"],
  plugin: ["core"],
  "plugin.services.storage": ["storage-*"],
  services: ["core", "storage-*"],
};

/** The loggers that match a package or class of Besu; `undefined` if the name is unknown. */
export function findBesuLoggers(
  name: string,
  loggers: readonly string[],
): readonly string[] | undefined {
  if (name === BESU) return loggers;
  if (!name.startsWith(`${BESU}.`)) return undefined;
  const wanted = name.slice(BESU.length + 1);
  const inside = Object.keys(PACKAGES).filter((each) => isWithin(each, wanted));
  const around = Object.keys(PACKAGES).filter((each) => isWithin(wanted, each));
  // The innermost enclosing package of a class wins.
  const innermost = around.sort((a, b) => b.length - a.length).slice(0, 1);
  const patterns = (inside.length > 0 ? inside : innermost).flatMap((each) => PACKAGES[each] ?? []);
  const found = loggers.filter((logger) => patterns.some((pattern) => fits(logger, pattern)));
  return found.length === 0 ? undefined : found;
}

function isWithin(name: string, outer: string): boolean {
  return name === outer || name.startsWith(`${outer}.`);
}

function fits(logger: string, pattern: string): boolean {
  return pattern.endsWith("*") ? logger.startsWith(pattern.slice(0, -1)) : logger === pattern;
}
