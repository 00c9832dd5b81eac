// Test files that `npm test` leaves to the long suites, so that it ends within a quarter of an hour on two cores. A named file
// always runs: `npm test -- FILE`.
export const LEFT_TO_LONG_SUITES = [
  // attacks
  "test/integration/evm-compiled-hostile.test.ts",
  "test/integration/evm-hostile.test.ts",
  "test/integration/hostile-bft-messages.test.ts",
  "test/integration/hostile-calls.test.ts",
  "test/integration/hostile-clients.test.ts",
  "test/integration/hostile-plugins.test.ts",
  "test/integration/hostile-transactions.test.ts",
  // clique
  "test/integration/clique-network.test.ts",
  // conformance
  "test/conformance/besu-live.test.ts",
  "test/conformance/bft-live.test.ts",
  // consistency
  "test/integration/consistent-reads.test.ts",
  // crashes
  "test/integration/lazy-fork-crashes.test.ts",
  // crossings
  "test/integration/ibft-to-qbft.test.ts",
  // explorer
  "test/clients/explorer-hostile.test.ts",
  "test/clients/explorer-login.test.ts",
  "test/clients/explorer-network.test.ts",
  // fuzz-graphql, fuzz-rpc
  "test/integration/graphql-fuzz.test.ts",
  "test/integration/rpc-fuzz.test.ts",
  // mirror
  "test/integration/mirror-network.test.ts",
  // mutations
  "test/integration/mutated-blocks.test.ts",
  // network
  "test/integration/examples.test.ts",
  "test/network/enclave-outsiders.test.ts",
  "test/network/enclave.test.ts",
  "test/network/four-nodes.test.ts",
  "test/network/model/model.test.ts",
  "test/network/permissioning.test.ts",
  "test/network/privacy-faults.test.ts",
  "test/network/privacy.test.ts",
  "test/network/signed-before.test.ts",
  "test/network/simulator/journal-prefixes.test.ts",
  "test/network/simulator/wrong-bodies.test.ts",
  "test/network/sync.test.ts",
  "test/network/up-privacy.test.ts",
  "test/network/validator-faults.test.ts",
  // registry
  "test/integration/oclif-plugins.test.ts",
  // replicas
  "test/conformance/replica-networks.test.ts",
  "test/integration/hostile-records.test.ts",
  // snapshots
  "test/integration/snapshot-crashes.test.ts",
  "test/integration/snapshot-join.test.ts",
  // soak-listeners
  "test/integration/mixed-load.test.ts",
  // subscribers
  "test/integration/subscribers.test.ts",
  // tools
  "test/clients/ethers5.test.ts",
  "test/clients/foundry.test.ts",
  "test/clients/web3v1.test.ts",
  "test/integration/fork-data.test.ts",
];
