// Hardhat 3 on the node of PLINTH_URL; the contracts are compiled beforehand.
import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import hardhatMatchers from "@nomicfoundation/hardhat-ethers-chai-matchers";
import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatHelpers from "@nomicfoundation/hardhat-network-helpers";

const { PLINTH_URL = "http://127.0.0.1:8545", PLINTH_FOLDER = "dist" } = process.env;

export default {
  plugins: [hardhatEthers, hardhatMatchers, hardhatMocha, hardhatHelpers],
  solidity: "0.8.37",
  networks: { plinth: { type: "http", url: PLINTH_URL } },
  test: { mocha: { timeout: 60_000 } },
  paths: {
    sources: `${PLINTH_FOLDER}/sources`,
    tests: "test",
    cache: `${PLINTH_FOLDER}/cache`,
    artifacts: `${PLINTH_FOLDER}/artifacts`,
  },
};
