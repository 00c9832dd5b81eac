/** A kind of option: a value as text, the same in a file, and an invalid value in a file. */
interface Sample {
  readonly text: string;
  readonly value: unknown;
  readonly wrong: unknown;
}

/** An option with few values. */
interface Choice extends Sample {
  readonly values: readonly string[];
}

const ADDRESS = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const HASH = `0x${"ab".repeat(32)}`;

const SAMPLES = {
  flag: { text: "true", value: true, wrong: "true" },
  integer: { text: "67", value: 67, wrong: "many" },
  port: { text: "4711", value: 4711, wrong: 70_000 },
  wei: { text: "12345", value: "12345", wrong: "0x10" },
  percent: { text: "42", value: 42, wrong: 101 },
  fraction: { text: "0.25", value: 0.25, wrong: 1.5 },
  decimal: { text: "33.5", value: 33.5, wrong: "half" },
  host: { text: "127.0.0.9", value: "127.0.0.9", wrong: "not a host" },
  address: { text: ADDRESS, value: ADDRESS, wrong: "0x1234" },
  hex: { text: "0x1234", value: "0x1234", wrong: "0x123" },
  text: { text: "some-text", value: "some-text", wrong: 5 },
  path: { text: "/some/path", value: "/some/path", wrong: false },
  list: { text: "one,two", value: ["one", "two"], wrong: "one" },
  addresses: { text: ADDRESS, value: [ADDRESS], wrong: ["0x12"] },
  map: { text: "one=1,two=2", value: ["one=1", "two=2"], wrong: ["one"] },
  blocks: { text: `100=${HASH}`, value: [`100=${HASH}`], wrong: ["100=0x12"] },
} as const satisfies Readonly<Record<string, Sample>>;

/** One of several words, the one that is tried first, and an invalid one. */
const word = (text: string, ...others: readonly string[]): Choice => ({
  text,
  value: text,
  wrong: "bogus",
  values: [text, ...others],
});

/** The options of Besu 24.9.1, by kind; other names of an option follow it after a slash. */
const NAMES: Readonly<Record<keyof typeof SAMPLES, string>> = {
  flag: `genesis-state-hash-cache-enabled color-enabled revert-reason-enabled version-compatibility-protection
    bonsai-limit-trie-logs-enabled/Xbonsai-limit-trie-logs-enabled/Xbonsai-trie-log-pruning-enabled receipt-compaction-enabled
    auto-log-bloom-caching-enabled rpc-http-enabled rpc-http-authentication-enabled rpc-http-tls-enabled
    rpc-http-tls-client-auth-enabled rpc-http-tls-ca-clients-enabled json-pretty-print-enabled rpc-ws-enabled
    rpc-ws-authentication-enabled Xrpc-ipc-enabled engine-rpc-enabled engine-jwt-disabled graphql-http-enabled
    api-gas-and-priority-fee-limiting-enabled metrics-enabled metrics-push-enabled Xmetrics-timers-enabled p2p-enabled
    discovery-enabled remote-connections-limit-enabled random-peer-priority-enabled poa-discovery-retry-bootnodes
    filter-on-enr-fork-id compatibility-eth64-forkid-enabled Xdns-enabled Xdns-update-enabled Xnat-method-fallback-enabled
    miner-enabled miner-stratum-enabled tx-pool-no-local-priority/tx-pool-disable-locals tx-pool-enable-save-restore
    strict-tx-replay-protection-enabled permissions-nodes-config-file-enabled permissions-accounts-config-file-enabled
    permissions-nodes-contract-enabled permissions-accounts-contract-enabled privacy-enabled privacy-multi-tenancy-enabled
    privacy-flexible-groups-enabled/privacy-onchain-groups-enabled privacy-nonce-always-increments privacy-enable-database-migration privacy-tls-enabled
    Xsnapsync-server-enabled/snapsync-server-enabled Xsnapsync-bft-enabled Xcheckpoint-post-merge-enabled Xchain-pruning-enabled
    Xsecp-native-enabled/Xsecp256k1-native-enabled Xaltbn128-native-enabled Xblake2bf-native-enabled Xmodexp-native-enabled
    Xplugin-rocksdb-high-spec-enabled Xp2p-tls-enabled Xp2p-tls-clienthello-sni Xplugins-external-enabled plugin-continue-on-error
    Xbonsai-full-flat-db-enabled Xbonsai-code-using-code-hash-enabled Xbonsai-parallel-tx-processing-enabled Xin-process-rpc-enabled
    Xpeertask-system-enabled Xprivacy-plugin-enabled Xsnapsync-synchronizer-flat-db-healing-enabled Xv5-discovery-enabled
    rpc-ws-ssl-enabled graphql-tls-enabled graphql-mtls-enabled history-expiry-prune print-paths-and-exit`,
  integer: `network-id reorg-logging-threshold bonsai-historical-block-limit/bonsai-maximum-back-layers-to-load
    bonsai-trie-logs-pruning-window-size/Xbonsai-trie-logs-pruning-window-size cache-last-blocks
    rpc-http-max-active-connections rpc-http-max-batch-size rpc-http-max-request-content-length rpc-ws-max-frame-size
    rpc-ws-max-active-connections Xhttp-timeout-seconds Xws-timeout-seconds rpc-max-logs-range rpc-max-trace-filter-range
    rpc-gas-cap api-gas-price-blocks api-gas-and-priority-fee-lower-bound-coefficient
    api-gas-and-priority-fee-upper-bound-coefficient metrics-push-interval Xmetrics-idle-timeout max-peers/p2p-peer-upper-bound
    Xp2p-initiate-connections-frequency Xp2p-check-maintained-connections-frequency Xeth-capability-max Xeth-capability-min
    Xeth-max-message-size Xewp-max-get-headers Xewp-max-get-bodies Xewp-max-get-receipts Xewp-max-get-node-data
    Xewp-max-get-pooled-transactions block-txs-selection-max-time poa-block-txs-selection-max-time
    tx-pool-blob-price-bump tx-pool-layer-max-capacity tx-pool-max-prioritized tx-pool-max-future-by-sender tx-pool-min-score
    tx-pool-max-size tx-pool-retention-hours Xincoming-tx-messages-keep-alive-seconds
    Xeth65-tx-announced-buffering-period-milliseconds Xsynchronizer-downloader-header-request-size
    Xsynchronizer-downloader-chain-segment-size Xsynchronizer-downloader-parallelism Xsynchronizer-transactions-parallelism
    Xsynchronizer-computation-parallelism Xsynchronizer-downloader-change-target-threshold-by-height
    Xsynchronizer-downloader-checkpoint-timeouts-permitted/Xsynchronizer-downloader-checkpoint-RETRIES
    Xsynchronizer-fast-sync-pivot-distance Xsynchronizer-world-state-hash-count-per-request
    Xsynchronizer-world-state-max-requests-without-progress Xsynchronizer-world-state-min-millis-before-stalling
    Xsynchronizer-world-state-request-parallelism Xsynchronizer-world-state-task-cache-size
    Xsnapsync-synchronizer-bytecode-count-per-request Xsnapsync-synchronizer-flat-account-healed-count-per-request
    Xsnapsync-synchronizer-flat-slot-healed-count-per-request Xsnapsync-synchronizer-pivot-block-distance-before-caching
    Xsnapsync-synchronizer-pivot-block-window-validity Xsnapsync-synchronizer-storage-count-per-request
    Xsnapsync-synchronizer-trienode-count-per-request Xchain-pruning-blocks-retained Xchain-pruning-blocks-retained-limit
    Xchain-pruning-frequency Xpos-block-creation-max-time Xpos-block-creation-repetition-min-duration Xminer-pow-job-ttl
    Xminer-remote-sealers-limit Xminer-remote-sealers-hashrate-ttl Xmax-ommers-depth Xevm-jumpdest-cache-weight-kb
    Xplugin-rocksdb-max-open-files Xplugin-rocksdb-cache-capacity Xplugin-rocksdb-background-thread-count cache-last-block-headers
    max-blobs-per-block`,
  port: `rpc-http-port rpc-ws-port engine-rpc-port/engine-rpc-http-port graphql-http-port metrics-port metrics-push-port p2p-port
    miner-stratum-port p2p-port-ipv6`,
  wei: "rpc-tx-feecap api-gas-price-max min-gas-price min-priority-fee tx-pool-min-gas-price",
  percent: "remote-connections-max-percentage tx-pool-price-bump",
  fraction: `min-block-occupancy-ratio tx-pool-limit-by-account-percentage estimate-gas-tolerance-ratio
    Xsynchronizer-fast-sync-full-validation-rate`,
  decimal: "api-gas-price-percentile",
  host: `rpc-http-host rpc-ws-host graphql-http-host metrics-host metrics-push-host p2p-host p2p-interface miner-stratum-host
    p2p-host-ipv6 p2p-interface-ipv6`,
  address:
    "miner-coinbase permissions-nodes-contract-address permissions-accounts-contract-address",
  hex: "miner-extra-data",
  text: `security-module identity metrics-push-prometheus-job discovery-dns-url Xp2p-dns-discovery-server
    Xnat-kube-service-name privacy-url ethstats ethstats-contact Xsynchronizer-block-propagation-range
    Xsynchronizer-downloader-change-target-threshold-by-td Xevm-worldstate-update-mode Xminer-stratum-extranonce
    Xp2p-tls-keystore-type Xp2p-tls-keystore-file Xp2p-tls-keystore-password-file Xp2p-tls-truststore-type
    Xp2p-tls-truststore-file Xp2p-tls-truststore-password-file`,
  path: `data-path genesis-file node-private-key-file pid-path kzg-trusted-setup static-nodes-file
    rpc-http-authentication-credentials-file rpc-http-authentication-jwt-public-key-file/rpc-http-authentication-public-key-file
    rpc-http-tls-keystore-file rpc-http-tls-keystore-password-file rpc-http-tls-known-clients-file
    rpc-ws-authentication-credentials-file rpc-ws-authentication-jwt-public-key-file/rpc-ws-authentication-public-key-file
    Xrpc-ipc-path engine-jwt-secret tx-pool-save-file permissions-nodes-config-file permissions-accounts-config-file
    privacy-public-key-file privacy-marker-transaction-signing-key-file privacy-tls-keystore-file
    privacy-tls-keystore-password-file privacy-tls-known-enclave-file ethstats-cacert-file Xp2p-tls-crl-file
    rpc-ws-ssl-keystore-file rpc-ws-ssl-keystore-password-file rpc-ws-ssl-truststore-file rpc-ws-ssl-truststore-password-file
    graphql-tls-keystore-file graphql-tls-keystore-password-file graphql-tls-truststore-file graphql-tls-truststore-password-file`,
  list: `rpc-http-cors-origins rpc-http-api/rpc-http-apis rpc-http-api-methods-no-auth/rpc-http-api-method-no-auth
    rpc-http-tls-protocols/rpc-http-tls-protocol rpc-http-tls-cipher-suites/rpc-http-tls-cipher-suite rpc-ws-api/rpc-ws-apis
    rpc-ws-api-methods-no-auth/rpc-ws-api-method-no-auth Xrpc-ipc-api/Xrpc-ipc-apis engine-host-allowlist
    graphql-http-cors-origins host-allowlist/host-whitelist bootnodes banned-node-ids/banned-node-id net-restrict
    Xin-process-rpc-api/Xin-process-rpc-apis`,
  addresses: "tx-pool-priority-senders",
  map: "override-genesis-config tx-pool-max-prioritized-by-type",
  blocks: "required-blocks/required-block",
};

/** Options with few choices, or with their own limits. */
const ALGORITHMS = ["ES384", "ES256", "ES512", "RS256", "RS384", "RS512"] as const;
const CHOICES: Readonly<Record<string, Choice>> = {
  "permissions-nodes-contract-version": { ...numbers("2", "1"), wrong: "many" },
  "target-gas-limit": { ...numbers("8000000"), wrong: "many" },
  "sync-min-peers/fast-sync-min-peers": { ...numbers("67", "1"), wrong: "many" },
  logging: word("DEBUG", "OFF", "FATAL", "ERROR", "WARN", "INFO", "TRACE", "ALL"),
  "data-storage-format": word("BONSAI", "FOREST"),
  "key-value-storage": { ...word("memory", "leveldb", "rocksdb"), wrong: 5 },
  "sync-mode": word("SNAP", "FULL", "FAST", "CHECKPOINT"),
  "rpc-http-authentication-jwt-algorithm": word(...ALGORITHMS),
  "rpc-ws-authentication-jwt-algorithm": word(...ALGORITHMS),
  network: {
    ...word("dev", "mainnet", "sepolia", "holesky", "lukso", "classic", "mordor"),
    wrong: 5,
  },
  "metrics-protocol": word("NONE", "PROMETHEUS", "OPENTELEMETRY"),
  // An unknown category is accepted, but a number is not.
  "metrics-category/metrics-categories": { ...word("NETWORK"), value: ["NETWORK"], wrong: [7] },
  "nat-method": word("DOCKER", "AUTO", "NONE", "KUBERNETES", "UPNP", "UPNPP2PONLY"),
  "tx-pool": word("SEQUENCED", "LAYERED", "LEGACY"),
};

function numbers(text: string, ...others: readonly string[]): Omit<Choice, "wrong"> {
  return { text, value: Number(text), values: [text, ...others] };
}

/** An option of Besu, with its other names and test values. */
export interface BesuOption extends Choice {
  readonly name: string;
  readonly aliases: readonly string[];
}

/**
 * Every option of Besu 24.9.1 except --config-file, --profile and --plugins, which determine the
 * sources of options.
 */
export const BESU_OPTIONS: readonly BesuOption[] = [
  ...Object.entries(NAMES).flatMap(([kind, names]) =>
    names.split(/\s+/).map((each) => toOption(each, choiceOf(kind as keyof typeof SAMPLES))),
  ),
  ...Object.entries(CHOICES).map(([names, sample]) => toOption(names, sample)),
];

/** A flag is tried both ways, others with one value. */
function choiceOf(kind: keyof typeof SAMPLES): Choice {
  const sample = SAMPLES[kind];
  return { ...sample, values: kind === "flag" ? ["true", "false"] : [sample.text] };
}

function toOption(names: string, sample: Choice): BesuOption {
  const [name = "", ...aliases] = names.split("/");
  return { name, aliases, ...sample };
}
