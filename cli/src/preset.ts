import { ConfigError } from "@plinth/core";

/** Plugins that belong together, by name; the default one makes the node behave like Besu. */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  besu: [
    "storage-level",
    "keys-file",
    "enclave",
    "enclave-tessera",
    "evm-plinth",
    "evm-ethereumjs",
    "consensus-clique",
    "consensus-dev",
    "consensus-ethash",
    "consensus-ibft",
    "consensus-pos",
    "consensus-qbft",
    "networks-ethereum",
    "permissioning-contract",
    "permissioning-local",
    "privacy",
    "pool-file",
    "blobs-kzg",
    "network-devp2p",
    "protocol-eth",
    "sync-full",
    "rpc-eth",
    "rpc-eea",
    "rpc-priv",
    "rpc-admin",
    "rpc-clique",
    "rpc-debug",
    "rpc-trace",
    "rpc-subscribe",
    "rpc-txpool",
    "rpc-ibft",
    "rpc-miner",
    "rpc-net",
    "rpc-perm",
    "rpc-qbft",
    "rpc-plinth",
    "rpc-web3",
    "rpc-rpc",
    "rpc-plugins",
    "authentication",
    "request-log",
    "transport-http",
    "transport-ws",
    "transport-ipc",
    "graphql",
    "log-index",
    "metrics-prometheus",
    "cmd-blocks",
    "cmd-db",
    "cmd-genesis",
    "cmd-rlp",
    "cmd-operator",
    "cmd-password",
    "cmd-public-key",
    "cmd-status",
    "cmd-up",
  ],
  none: [],
};

/** The plugins of a preset. */
export function pluginsOfPreset(name: string): readonly string[] {
  const plugins = PRESETS[name.toLowerCase()];
  if (plugins !== undefined) return plugins;
  throw new ConfigError("PRESET_UNKNOWN", {
    message: `unknown preset "${name}"; there are ${Object.keys(PRESETS).join(" and ")}`,
    preset: name,
  });
}
