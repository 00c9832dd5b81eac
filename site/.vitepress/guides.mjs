const page = (text, link) => ({ text, link });

/** The pages by what people want to do. */
export const GUIDES = [
  {
    text: "Develop contracts",
    items: [
      page("A development chain", "/operators/dev-chain"),
      page("Forks of other networks", "/operators/forking"),
      page("Errors of a development chain", "/operators/dev-chain-errors"),
      page("Tracing", "/operators/tracing"),
      page("GraphQL", "/operators/graphql"),
      page("The transaction pool", "/operators/transactions"),
    ],
  },
  {
    text: "Run a network",
    items: [
      page("A private network in one command", "/operators/private-network"),
      page("QBFT", "/operators/qbft"),
      page("Clique", "/operators/clique"),
      page("From IBFT 2.0 to QBFT", "/operators/ibft-to-qbft"),
      page("Networks and genesis files", "/operators/networks"),
    ],
  },
  {
    text: "Replace Besu",
    items: [
      page("Migrating from Besu", "/operators/from-besu"),
      page("Replacing validators one by one", "/operators/replace-besu"),
      page("GoQuorum validators", "/operators/goquorum"),
    ],
  },
  {
    text: "Privacy and permissioning",
    items: [
      page("Private transactions", "/operators/privacy"),
      page("The transaction manager", "/operators/enclave"),
      page("Permissioning", "/operators/permissioning"),
    ],
  },
  {
    text: "Operate",
    items: [
      page("Running a node", "/operators/running"),
      page("Replace a broken validator", "/operators/replace-validator"),
      page("Securing the RPC endpoints", "/operators/securing"),
      page("The chain in PostgreSQL", "/operators/relay-postgres"),
      page("Limits", "/operators/limits"),
      page("The EVM", "/operators/evm"),
      page("Tuning", "/operators/tuning"),
    ],
  },
  {
    text: "Extend",
    items: [
      page("Your first plugin", "/plugins/first-plugin"),
      page("Recipes", "/plugins/recipes"),
      page("Namespaces", "/plugins/namespaces"),
      page("Commands", "/plugins/commands"),
      page("Hooks", "/plugins/hooks"),
      page("Services", "/plugins/services"),
      page("Drivers", "/plugins/drivers"),
      page("Engines", "/plugins/engines"),
      page("Protocols", "/plugins/protocols"),
      page("Plugin state", "/plugins/state"),
      page("Testing", "/plugins/testing"),
      page("Publishing", "/plugins/publishing"),
    ],
  },
  {
    text: "Reference",
    items: [
      page("Options", "/reference/options"),
      page("Methods", "/reference/methods"),
      page("Methods of development chains", "/reference/dev-methods"),
      page("Hooks", "/reference/hooks"),
      page("API of @plinth/core", "/reference/plugin-api"),
      page("Error codes", "/reference/errors"),
      page("Benchmarks", "/benchmarks/"),
      page("Besu's options", "/reference/besu-options"),
    ],
  },
  {
    text: "Inside",
    items: [
      page("Architecture", "/architecture"),
      page("Walks through the code", "/walks"),
      page("Where is it?", "/where-is-it"),
      page("Style", "/style"),
    ],
  },
];
