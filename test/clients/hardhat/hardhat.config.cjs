// The contracts stand in a package of their own; what hardhat writes goes where `PLINTH_FOLDER` says.
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
const { subtask } = require("hardhat/config");
require("@nomicfoundation/hardhat-ethers");
require("@nomicfoundation/hardhat-chai-matchers");

const CONTRACTS = join(__dirname, "../contracts");
const { PLINTH_URL, PLINTH_FOLDER = join(__dirname, "dist") } = process.env;

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
  networks: { plinth: { url: PLINTH_URL ?? "http://127.0.0.1:8545" } },
  paths: {
    root: CONTRACTS,
    sources: join(CONTRACTS, "src"),
    tests: join(__dirname, "test"),
    cache: join(PLINTH_FOLDER, "cache"),
    artifacts: join(PLINTH_FOLDER, "artifacts"),
  },
};
