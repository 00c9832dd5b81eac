import { option, optionKinds } from "@plinth/core";

/** Listening and advertised address of the node, and its peer limits. */
export const options = {
  p2pEnabled: option.boolean({ summary: "Connects to other nodes.", default: true }),
  p2pHost: option.host({
    summary: "Address that is advertised to other nodes.",
    default: "127.0.0.1",
  }),
  p2pInterface: option.host({
    summary: "Address to listen on for peers.",
    default: "0.0.0.0",
  }),
  p2pPort: option.port({ summary: "Port for peers, TCP and UDP.", default: 30303 }),
  maxPeers: option.integer({
    summary: "Maximum number of peers, not counting static ones.",
    default: 25,
    min: 0,
    max: 10_000,
    aliases: ["p2pPeerUpperBound"],
  }),
  remoteConnectionsLimitEnabled: option.flag({
    summary: "Limits the share of inbound peers.",
    default: true,
  }),
  remoteConnectionsMaxPercentage: option.percent({
    summary: "Maximum share of inbound peers.",
    default: 60,
  }),
  randomPeerPriorityEnabled: option.flag({
    summary: "Prioritizes peers at random, so that new ones get a slot.",
    default: false,
  }),
  bannedNodeIds: option.list({
    summary: "Ids of rejected nodes, 64 bytes each.",
    of: optionKinds.text(),
    words: true,
    aliases: ["bannedNodeId"],
  }),
  netRestrict: option.list({
    summary: "IP networks to which peers are restricted, such as 10.0.0.0/8.",
    of: optionKinds.text(),
  }),
  staticNodesFile: option.path({
    summary: "JSON file with the enode URLs of nodes to stay connected to.",
  }),
  discoveryEnabled: option.boolean({ summary: "Enables peer discovery.", default: true }),
  bootnodes: option.list({
    summary:
      "Enode URLs of the nodes that discovery starts with; by default those of the genesis file.",
    of: optionKinds.text(),
    words: true,
  }),
  poaDiscoveryRetryBootnodes: option.boolean({
    summary: "Keeps retrying bootnodes that do not respond.",
    default: true,
  }),
  natMethod: option.oneOf(["AUTO", "NONE", "DOCKER", "KUBERNETES", "UPNP", "UPNPP2PONLY"], {
    summary:
      "How the advertised address is determined: from the configuration, from Docker, from the variables of a Kubernetes service, or by detecting one of them.",
    default: "AUTO",
    validate: (method) =>
      method.startsWith("UPNP")
        ? "UPnP port mapping is not supported; map the port on the gateway, and use NONE with the address of the gateway as --p2p-host"
        : undefined,
  }),
  XnatKubeServiceName: option.text({
    summary: "The Kubernetes service in front of this node.",
    default: "besu",
    experimental: true,
  }),
  XnatMethodFallbackEnabled: option.flag({
    summary:
      "Advertises --p2p-host if the method finds nothing; without it, --nat-method=KUBERNETES then fails the start.",
    default: true,
    experimental: true,
  }),
  XdnsEnabled: option.flag({
    summary: "Allows DNS names in enode URLs.",
    default: false,
    experimental: true,
  }),
  XdnsUpdateEnabled: option.flag({
    summary: "Resolves the DNS names of enode URLs again on every use.",
    default: false,
    experimental: true,
  }),
  Xp2pDnsDiscoveryServer: option.text({
    summary: "DNS server as address or address:port; the system's by default.",
    experimental: true,
  }),
};
