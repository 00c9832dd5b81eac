// Suites that take too long for every change: `npm run long -- NAME`. CI runs a short form of most
// of them.

/** The description and the command of each; `builds` if the built program is run. */
export const LONG_SUITES = [
  {
    name: "address-index",
    summary: "Random chains and kills while addresses are indexed",
    builds: true,
    environment: { PLINTH_ADDRESS_SCHEDULES: "500", PLINTH_ADDRESS_CRASHES: "50" },
    command:
      "vitest run --project unit --project integration plugins/query/address-index test/integration/address-index-crashes.test.ts",
  },
  {
    name: "attacks",
    summary: "The recorded attacks, with strict limits of time",
    environment: { PLINTH_STRICT: "1" },
    command:
      "vitest run --project unit --project integration plugins/network/protocol-eth/src/hostile-messages.test.ts plugins/evm/evm-plinth/src/pauses.test.ts plugins/evm/evm-plinth/src/native-pauses.test.ts test/integration/message-budgets.test.ts test/integration/request-budgets.test.ts test/integration/hostile-bft-messages.test.ts test/integration/hostile-sync-peers.test.ts test/integration/hostile-transactions.test.ts test/integration/hostile-calls.test.ts test/integration/hostile-clients.test.ts test/integration/hostile-plugins.test.ts test/integration/private-transactions.test.ts test/integration/authentication.test.ts test/integration/tls.test.ts test/integration/evm-hostile.test.ts test/integration/evm-compiled-hostile.test.ts --maxWorkers=1",
  },
  {
    name: "bench-evm",
    summary: "The EVM compared with others",
    builds: true,
    command: "node test/performance/evm.mjs",
  },
  {
    name: "changes",
    summary: "Random chains and 300 kills while changes are recorded",
    builds: true,
    environment: { PLINTH_CHANGES_SCHEDULES: "500", PLINTH_CHANGES_CRASHES: "300" },
    command:
      "vitest run --project unit --project integration plugins/stream/changes test/integration/changes-crashes.test.ts",
  },
  {
    name: "clique",
    summary: "300 blocks in one network with geth, and joins by snap/1 (Go)",
    builds: true,
    environment: { PLINTH_CLIQUE_BLOCKS: "300", PLINTH_CLIQUE_SCHEDULES: "50" },
    command:
      "vitest run --project integration test/network/clique-geth.test.ts test/network/snap-geth.test.ts test/integration/clique-network.test.ts",
  },
  {
    name: "conformance",
    summary: "All conformance vectors, including those that CI samples",
    environment: { PLINTH_EVERY_TEST: "1" },
    command: "vitest run --project integration test/conformance",
  },
  {
    name: "consistency",
    summary: "Reads while 1,000 blocks are imported",
    environment: { PLINTH_CONSISTENT_BLOCKS: "1000" },
    command: "vitest run --project integration test/integration/consistent-reads.test.ts",
  },
  {
    name: "crashes",
    summary: "Kills while blocks, imports, indexes and allowlists are written",
    environment: {
      PLINTH_CRASHES: "50",
      PLINTH_IMPORT_CRASHES: "200",
      PLINTH_LOG_CRASHES: "50",
      PLINTH_CONVERSION_CRASHES: "50",
      PLINTH_STATE_CONVERSION_CRASHES: "200",
      PLINTH_ALLOWLIST_CRASHES: "200",
      PLINTH_FORK_CRASHES: "200",
    },
    command:
      "vitest run --project integration test/integration/allowlist-crashes.test.ts test/integration/crashes.test.ts test/integration/import-crashes.test.ts test/integration/log-index-crashes.test.ts test/integration/conversion-crashes.test.ts test/integration/lazy-fork-crashes.test.ts",
  },
  {
    name: "crossings",
    summary: "500 changes from IBFT 2.0 to QBFT",
    environment: { PLINTH_CROSSINGS: "500" },
    command: "vitest run --project integration test/integration/ibft-to-qbft.test.ts",
  },
  {
    name: "damage",
    summary: "Flipped bits, power failures and crashes of the database",
    environment: { PLINTH_FLIPS: "200", PLINTH_POWER_FAILURES: "200", PLINTH_CRASHES: "200" },
    command:
      "vitest run --project unit --project integration plugins/storage/storage-level test/integration/damage.test.ts test/integration/power-failures.test.ts test/integration/crashes.test.ts",
  },
  {
    name: "discv4",
    summary: "geth's suite for discovery v4 (needs Go)",
    builds: true,
    command: "node scripts/discv4.mjs",
  },
  {
    name: "enclave",
    summary: "200 kills of managers",
    builds: true,
    environment: { PLINTH_ENCLAVE_KILLS: "200" },
    command: "vitest run --project integration test/network/enclave.test.ts",
  },
  {
    name: "eth-test",
    summary: "geth's suite for the eth protocol (needs Go)",
    builds: true,
    command: "node scripts/devp2p-test.mjs eth-test",
  },
  {
    name: "evm-tables",
    summary: "Tables of the EVM compared with its vectors",
    environment: { PLINTH_EVM_VECTORS: "1" },
    command: "vitest run --project integration test/integration/evm-tables.test.ts",
  },
  {
    name: "explorer",
    summary: "The explorer in a browser, also of stalled networks (Chromium)",
    builds: true,
    environment: { PLINTH_EXPLORER: "1" },
    command:
      "vitest run --project integration test/clients/explorer.test.ts test/clients/explorer-doctor.test.ts test/clients/explorer-hostile.test.ts test/clients/explorer-login.test.ts test/clients/explorer-network.test.ts",
  },
  {
    name: "fuzz-enclave",
    summary: "1,000,000 messages of hostile managers",
    environment: { PLINTH_ENCLAVE_MESSAGES: "1000000" },
    command:
      "vitest run --project integration test/integration/hostile-managers.test.ts test/integration/outside-managers.test.ts",
  },
  {
    name: "fuzz-evm",
    summary: "Random programs on three EVMs, on ours interpreted and compiled",
    environment: { PLINTH_EVM_PROGRAMS: "100000", PLINTH_GETH_PROGRAMS: "500000" },
    command: "vitest run --project integration test/integration/evm-fuzz.test.ts",
  },
  {
    name: "fuzz-graphql",
    summary: "50,000 GraphQL documents",
    environment: { PLINTH_GRAPHQL_DOCUMENTS: "50000" },
    command: "vitest run --project integration test/integration/graphql-fuzz.test.ts",
  },
  {
    name: "fuzz-network",
    summary: "200,000 hostile frames, 50,000 packets, 200,000 messages",
    environment: {
      PLINTH_FRAMES: "200000",
      PLINTH_PACKETS: "50000",
      PLINTH_ETH_MESSAGES: "100000",
    },
    command:
      "vitest run --project unit plugins/network/protocol-eth/src/hostile-messages.test.ts plugins/network/network-devp2p/src/hostile-peers.test.ts plugins/network/network-devp2p/src/discovery/hostile-packets.test.ts && PLINTH_BFT_MESSAGES=100000 vitest run --project integration test/integration/hostile-validators.test.ts",
  },
  {
    name: "fuzz-plugins",
    summary: "1,000 mixtures of failing plugins",
    environment: { PLINTH_PLUGIN_MIXTURES: "1000" },
    command: "vitest run --project integration test/integration/hostile-plugins.test.ts",
  },
  {
    name: "fuzz-rpc",
    summary: "1,000,000 JSON-RPC requests",
    environment: { PLINTH_RPC_REQUESTS: "1000000" },
    command: "vitest run --project integration test/integration/rpc-fuzz.test.ts",
  },
  {
    name: "fuzz-transactions",
    summary: "10,000 random transactions on both EVMs",
    environment: { PLINTH_RANDOM_TRANSACTIONS: "10000" },
    command: "vitest run --project integration test/integration/random-transactions.test.ts",
  },
  {
    name: "geth-evm",
    summary: "State tests compared with geth (needs Go)",
    command: "node scripts/geth-evm.mjs",
  },
  {
    name: "mirror",
    summary: "The mirror of 1,000 blocks of a network",
    builds: true,
    environment: { PLINTH_MIRROR_BLOCKS: "1000" },
    command: "vitest run --project integration test/integration/mirror-network.test.ts",
  },
  {
    name: "model",
    summary: "Every state of a model of one height",
    environment: { PLINTH_MODEL: "1" },
    command: "vitest run --project integration test/network/model",
  },
  {
    name: "mutants",
    summary: "Deliberate bugs of consensus that the simulator must find",
    command: "node scripts/mutants.mjs",
  },
  {
    name: "mutations",
    summary: "100,000 mutated blocks",
    environment: { PLINTH_MUTATIONS: "100000" },
    command: "vitest run --project integration test/integration/mutated-blocks.test.ts",
  },
  {
    name: "network",
    summary: "Networks of several processes, plinth up, the replacement of Besu",
    builds: true,
    environment: { PLINTH_NETWORK: "1" },
    command:
      "vitest run --project integration test/network test/clients/up.test.ts test/integration/examples.test.ts",
  },
  {
    name: "pool",
    summary: "Schedules, crashes and floods of the transaction pool",
    environment: {
      PLINTH_POOL_SCHEDULES: "10000",
      PLINTH_POOL_CRASHES: "20",
      PLINTH_POOL_LOAD: "20000",
      PLINTH_POOL_FLOOD: "50000",
      PLINTH_POOL_MUTATIONS: "100000",
    },
    command:
      "vitest run --project integration test/integration/pool test/integration/mutated-transactions.test.ts",
  },
  {
    name: "privacy",
    summary: "100 kills of nodes with private transactions",
    builds: true,
    environment: { PLINTH_PRIVACY_KILLS: "100" },
    command: "vitest run --project integration test/network/privacy-faults.test.ts",
  },
  {
    name: "readme",
    summary: "The commands of README.md, in their order, in a clean clone",
    command: "node scripts/readme.mjs",
  },
  {
    name: "registry",
    summary: "Plugins and tarballs installed from the registry",
    builds: true,
    environment: { PLINTH_REGISTRY: "1" },
    command:
      "vitest run --project integration test/integration/oclif-plugins.test.ts test/integration/packed-tarballs.test.ts test/integration/plugin-install.test.ts",
  },
  {
    name: "relay",
    summary: "350 kills of nodes and 50 of PostgreSQL while the chain is relayed (PostgreSQL)",
    builds: true,
    environment: {
      PLINTH_POSTGRES: "1",
      PLINTH_RELAY_SCHEDULES: "200",
      PLINTH_RELAY_CRASHES: "300",
      PLINTH_RELAY_NODE_CRASHES: "50",
      PLINTH_RELAY_SERVER_CRASHES: "50",
    },
    command:
      "vitest run --project unit --project integration plugins/stream/relay-postgres test/integration/relay",
  },
  {
    name: "replicas",
    summary:
      "A node and its replica with all conformance vectors and recorded networks, and lying sources",
    builds: true,
    environment: { PLINTH_EVERY_TEST: "1" },
    command:
      "vitest run --project integration test/conformance/replica-networks.test.ts test/conformance/replica-responses.test.ts test/integration/replica.test.ts test/integration/replica-chains.test.ts test/integration/replica-nginx.test.ts test/integration/lying-sources.test.ts test/integration/hostile-records.test.ts",
  },
  {
    name: "simulate",
    summary: "20,000 schedules of validators that fail and lie",
    environment: { PLINTH_SCHEDULES: "20000" },
    command:
      "vitest run --project integration test/network/simulator test/integration/signed-marks.test.ts",
  },
  {
    name: "site",
    summary: "The documentation site: built, links followed, searched in a browser",
    environment: { PLINTH_SITE: "1" },
    command: "vitest run --project integration test/clients/site.test.ts",
  },
  {
    name: "snap-test",
    summary: "geth's suite for the snap protocol (needs Go)",
    builds: true,
    command: "node scripts/devp2p-test.mjs snap-test",
  },
  {
    name: "snapshots",
    summary:
      "10,000 changed bytes of a snapshot, 100 kills while one is used and while one is created",
    environment: { PLINTH_SNAPSHOT_MUTATIONS: "10000", PLINTH_SNAPSHOT_KILLS: "100" },
    command:
      "vitest run --project integration test/integration/snapshot-join.test.ts test/integration/snapshot-crashes.test.ts",
  },
  {
    name: "soak",
    summary: "A node under load for hours",
    builds: true,
    command: "node test/performance/soak.mjs",
  },
  {
    name: "soak-listeners",
    summary: "Listeners under mixed load for an hour",
    builds: true,
    environment: { PLINTH_LISTENER_SECONDS: "3600" },
    command: "vitest run --project integration test/integration/mixed-load.test.ts",
  },
  {
    name: "state",
    summary: "Flat states compared with hash tries after 100,000 blocks",
    environment: { PLINTH_STATE_BLOCKS: "100000", PLINTH_STATE_CHAINS: "140" },
    command:
      "vitest run --project unit-core core/chain/src/flat core/chain/src/state/state-store.test.ts",
  },
  {
    name: "streams",
    summary: "300 kills of a node, its replica, a relay and PostgreSQL under load (PostgreSQL)",
    builds: true,
    environment: { PLINTH_POSTGRES: "1", PLINTH_STREAM_CRASHES: "300" },
    command: "vitest run --project integration test/integration/stream-crashes.test.ts",
  },
  {
    name: "subscribers",
    summary: "5,000 subscribers of one node",
    builds: true,
    environment: { PLINTH_SUBSCRIBERS: "5000" },
    command: "vitest run --project integration test/integration/subscribers.test.ts",
  },
  {
    name: "tools",
    summary: "Hardhat 2 and 3, Foundry, Anvil and ponder (needs `npm run clients -- --all`)",
    builds: true,
    environment: { PLINTH_TOOLS: "1" },
    command:
      "vitest run --project integration test/clients/hardhat.test.ts test/clients/foundry.test.ts test/clients/anvil.test.ts test/clients/terminal.test.ts test/clients/failures.test.ts test/clients/fork-projects.test.ts test/integration/fork-data.test.ts test/clients/reconnect.test.ts test/clients/traces.test.ts test/clients/ots-anvil.test.ts test/clients/ponder.test.ts test/clients/ethers5.test.ts test/clients/web3v1.test.ts test/integration/tls.test.ts",
  },
];
