import { parseHex } from "@plinth/core";
import type { GenesisCheck, GenesisFacts } from "@plinth/core/consensus";
import { networks } from "./networks.js";
import { PUBLIC_CHAIN_IDS } from "./public-chain-ids.js";

/** Warns of a chain id that another network uses: transactions of one are valid on both. */
export const chainIdCheck: GenesisCheck = {
  name: "public chain ids",
  check(facts) {
    const name = facts.chainId === undefined ? undefined : PUBLIC_CHAIN_IDS.get(facts.chainId);
    if (name === undefined || isNetworkItself(facts)) return [];
    return [
      {
        severity: "warning",
        key: "config.chainId",
        problem: `is ${facts.chainId}, that of ${name}: a transaction of one chain is valid on the other`,
        fix: "choose a unique id before the network starts",
      },
    ];
  },
};

/** The genesis block of a public network has a unique combination of extra data and difficulty. */
function isNetworkItself({ chainId, header }: GenesisFacts): boolean {
  const network = networks.find(({ networkId }) => networkId === chainId);
  if (network === undefined) return false;
  const genesis = network.readGenesis();
  const extraData = parseHex(String(Reflect.get(genesis, "extraData"))) ?? new Uint8Array();
  const difficulty = BigInt(String(Reflect.get(genesis, "difficulty")));
  return header.difficulty === difficulty && Buffer.compare(header.extraData, extraData) === 0;
}
