import { paramsBlock } from "@ethereumjs/block";
import {
  type Common,
  ConsensusAlgorithm,
  ConsensusType,
  createCustomCommon,
  Hardfork,
  Mainnet,
} from "@ethereumjs/common";
import { paramsTx } from "@ethereumjs/tx";
import type { Crypto, Fork } from "@plinth/core";

/** What EthereumJS calls the forks; a glacier moves the difficulty only. */
const HARDFORKS: Readonly<Record<Fork, Hardfork>> = {
  frontier: Hardfork.Chainstart,
  homestead: Hardfork.Homestead,
  dao: Hardfork.Dao,
  tangerineWhistle: Hardfork.TangerineWhistle,
  spuriousDragon: Hardfork.SpuriousDragon,
  byzantium: Hardfork.Byzantium,
  constantinople: Hardfork.Constantinople,
  petersburg: Hardfork.Petersburg,
  istanbul: Hardfork.Istanbul,
  muirGlacier: Hardfork.MuirGlacier,
  berlin: Hardfork.Berlin,
  london: Hardfork.London,
  arrowGlacier: Hardfork.ArrowGlacier,
  grayGlacier: Hardfork.GrayGlacier,
  shanghai: Hardfork.Shanghai,
  cancun: Hardfork.Cancun,
  prague: Hardfork.Prague,
  osaka: Hardfork.Osaka,
};

const FIRST_WITH_RANDOM = Hardfork.Shanghai;
/** PREVRANDAO. It comes with the merge, which private networks never have. */
const EIP_4399 = 4399;

/**
 * The rules of one fork, in force from block 0.
 *
 * The merge is left out of the list: with it EthereumJS turns to proof of stake and demands a
 * difficulty of zero, which BFT and Clique chains do not have.
 */
export function createRules(fork: Fork, chainId: bigint, { keccak256 }: Crypto): Common {
  const order = Object.values(HARDFORKS);
  const hardfork = HARDFORKS[fork];
  const active = order.slice(0, order.indexOf(hardfork) + 1);
  const hasRandom = active.includes(FIRST_WITH_RANDOM);
  return createCustomCommon(
    {
      chainId: Number(chainId),
      name: "plinth",
      hardforks: active.map((name) => ({ name, block: 0 })),
      consensus: { type: ConsensusType.ProofOfWork, algorithm: ConsensusAlgorithm.Ethash },
    },
    Mainnet,
    { hardfork, eips: hasRandom ? [EIP_4399] : [], customCrypto: { keccak256 } },
  );
}

/**
 * Ends all change of rules that a machine was made with.
 *
 * EthereumJS copies its rules for every transaction and every block, and merges the same parameters
 * into each copy, which costs more than running a transfer. A machine has one fork, so that all of
 * them can share one object.
 */
export function settleRules(rules: Common): void {
  rules.updateParams(paramsTx);
  rules.updateParams(paramsBlock);
  rules.copy = () => rules;
  rules.updateParams = () => {};
}
