import { createConfig } from "ponder";
import { type Address, erc20Abi } from "viem";

const { PLINTH_URL, PLINTH_TOKEN, PLINTH_FOLDER } = process.env;

export default createConfig({
  database: { kind: "pglite", directory: `${PLINTH_FOLDER}/pglite` },
  chains: { plinth: { id: 1337, rpc: PLINTH_URL, pollingInterval: 500 } },
  contracts: {
    Token: { abi: erc20Abi, chain: "plinth", address: PLINTH_TOKEN as Address, startBlock: 0 },
  },
});
