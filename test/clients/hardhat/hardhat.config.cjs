// The contracts stand in a package of their own; what hardhat writes goes where `PLINTH_FOLDER` says.
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
const { subtask } = require("hardhat/config");
require("@nomicfoundation/hardhat-ethers");
require("@nomicfoundation/hardhat-chai-matchers");

const CONTRACTS = join(__dirname, "../contracts");
const { PLINTH_URL, PLINTH_FORKED, PLINTH_TESTS = "test" } = process.env;
const { PLINTH_FOLDER = join(__dirname, "dist") } = process.env;
/** Hardhat's own fork, of a chain that it does not know. */
const forking = PLINTH_FORKED && {
  chainId: 1337,
  chains: { 1337: { hardforkHistory: { osaka: 0 } } },
  forking: { url: PLINTH_FORKED },
};

const requireThere = createRequire(join(CONTRACTS, "package.json"));
const solc = requireThere("solc/package.json");

// The compiler is the one from npm: nothing is downloaded.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD).setAction(async () => ({
  compilerPath: requireThere.resolve("solc/soljson.js"),
  isSolcJs: true,
  version: solc.version,
  longVersion: requireThere("solc").version(),
}));

module.exports = {
  solidity: { version: solc.version, settings: requireThere("./settings.json") },
  networks: { plinth: { url: PLINTH_URL ?? "http://127.0.0.1:8545" }, hardhat: { ...forking } },
  paths: {
    root: CONTRACTS,
    sources: join(CONTRACTS, "src"),
    tests: join(__dirname, PLINTH_TESTS),
    cache: join(PLINTH_FOLDER, "cache"),
    artifacts: join(PLINTH_FOLDER, "artifacts"),
  },
};
