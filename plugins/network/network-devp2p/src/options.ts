import { option, optionKinds } from "@plinth/core";

/** Where the node is reached, and how many others it connects with. */
export const options = {
  p2pEnabled: option.boolean({ summary: "Connects with other nodes.", default: true }),
  p2pHost: option.host({
    summary: "Address that is advertised to other nodes.",
    default: "127.0.0.1",
  }),
  p2pInterface: option.host({
    summary: "Address of this machine that peers connect to.",
    default: "0.0.0.0",
  }),
  p2pPort: option.port({ summary: "Port for peers, TCP and UDP.", default: 30303 }),
  maxPeers: option.integer({
    summary: "Most peers that the node connects with, static ones apart.",
    default: 25,
    min: 0,
    max: 10_000,
    aliases: ["p2pPeerUpperBound"],
  }),
  remoteConnectionsLimitEnabled: option.flag({
    summary: "Limits the share of peers that have dialled this node.",
    default: true,
  }),
  remoteConnectionsMaxPercentage: option.percent({
    summary: "Share of peers that may have dialled this node.",
    default: 60,
  }),
  randomPeerPriorityEnabled: option.flag({
    summary: "Prefers peers by chance, so that newcomers find a place.",
    default: false,
  }),
  bannedNodeIds: option.list({
    summary: "Ids of nodes that are refused, 64 bytes each.",
    of: optionKinds.text(),
    words: true,
    aliases: ["bannedNodeId"],
  }),
  netRestrict: option.list({
    summary: "IP networks that peers must be in, such as 10.0.0.0/8.",
    of: optionKinds.text(),
  }),
  staticNodesFile: option.path({
    summary: "JSON file with the enode URLs of nodes to be connected with, always.",
  }),
  discoveryEnabled: option.boolean({ summary: "Finds other nodes.", default: true }),
  bootnodes: option.list({
    summary:
      "Enode URLs of nodes that are asked for others first; those of the genesis file when left out.",
    of: optionKinds.text(),
    words: true,
  }),
  poaDiscoveryRetryBootnodes: option.boolean({
    summary: "Asks bootnodes that do not answer again, as long as the node runs.",
    default: true,
  }),
  natMethod: option.oneOf(["AUTO", "NONE", "DOCKER", "KUBERNETES", "UPNP", "UPNPP2PONLY"], {
    summary:
      "How the advertised address is found: what is configured, from Docker, from the variables of a service of Kubernetes, or whichever of them is there.",
    default: "AUTO",
    validate: (method) =>
      method.startsWith("UPNP")
        ? "no port is mapped by UPnP here; map it on the gateway, and use NONE with the address of the gateway as --p2p-host"
        : undefined,
  }),
  XnatKubeServiceName: option.text({
    summary: "The service of Kubernetes that leads to this node.",
    default: "besu",
    experimental: true,
  }),
  XnatMethodFallbackEnabled: option.flag({
    summary:
      "Advertises --p2p-host where the method finds nothing; without it, --nat-method=KUBERNETES stops the start then.",
    default: true,
    experimental: true,
  }),
  XdnsEnabled: option.flag({
    summary: "Allows DNS names in enode URLs.",
    default: false,
    experimental: true,
  }),
  XdnsUpdateEnabled: option.flag({
    summary: "Resolves DNS names of enode URLs again whenever they are used.",
    default: false,
    experimental: true,
  }),
  Xp2pDnsDiscoveryServer: option.text({
    summary:
      "DNS server that is asked, as address or address:port; that of the system when left out.",
    experimental: true,
  }),
};
