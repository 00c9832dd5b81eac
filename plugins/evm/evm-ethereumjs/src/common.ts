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
import { FORKS, type Fork, rulesOf } from "@plinth/core/evm";
import type { Crypto } from "@plinth/core/primitives";
import { kzgStub } from "./kzg-stub.js";

/** What EthereumJS calls the forks whose names are others there; the merge is none to it here. */
const OTHER_NAMES: Readonly<Partial<Record<Fork, Hardfork>>> = {
  frontier: Hardfork.Chainstart,
  paris: Hardfork.GrayGlacier,
};
const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(Hardfork));

/** PREVRANDAO. It comes with the merge, which private networks never have. */
const EIP_4399 = 4399;
/** Spurious Dragon, which brought the limit of a contract's code. */
const EIP_607 = 607;
/** More blobs than any block may have: how many it may is the core's to know. */
const ANY_BLOB_GAS = 2 ** 30;

/** EIP-7825: how much a transaction may have is the core's to know, too, and calls may have more. */
const ANY_GAS = "0x7fffffffffffffff";

/** What makes the rules of a chain. */
export interface RulesSettings {
  readonly fork: Fork;
  readonly chainId: bigint;
  /** Most bytes of a new contract's code; as the fork has it when left out. */
  readonly maxCodeBytes?: number | undefined;
  readonly crypto: Pick<Crypto, "keccak256">;
}

/**
 * The rules of one fork, in force from block 0.
 *
 * The merge is left out of the list: with it EthereumJS turns to proof of stake and demands a
 * difficulty of zero, which BFT and Clique chains do not have.
 */
export function createRules({ fork, chainId, crypto }: RulesSettings): Common {
  const active = new Set(FORKS.slice(0, FORKS.indexOf(fork) + 1).map(nameOf));
  const rules = createCustomCommon(
    {
      // EthereumJS holds a number; the method below answers with all bits.
      chainId: Number(BigInt.asUintN(53, chainId)),
      name: "plinth",
      hardforks: [...active].map((name) => ({ name, block: 0 })),
      consensus: { type: ConsensusType.ProofOfWork, algorithm: ConsensusAlgorithm.Ethash },
    },
    Mainnet,
    {
      hardfork: nameOf(fork),
      eips: rulesOf(fork).hasRandom ? [EIP_4399] : [],
      customCrypto: { keccak256: crypto.keccak256, kzg: kzgStub },
    },
  );
  rules.chainId = () => chainId;
  return rules;
}

/**
 * Ends all change of rules that a machine was made with.
 *
 * EthereumJS copies its rules for every transaction and every block, and merges the same parameters
 * into each copy, which costs more than running a transfer. A machine has one fork, so that all of
 * them can share one object.
 */
export function settleRules(
  rules: Common,
  {
    maxCodeBytes,
    tick = () => {},
  }: Pick<RulesSettings, "maxCodeBytes"> & { readonly tick?: () => void },
): void {
  rules.updateParams(paramsTx);
  rules.updateParams(paramsBlock);
  rules.updateParams({ 4844: { maxBlobGasPerBlock: ANY_BLOB_GAS } });
  rules.updateParams({ 7691: { maxBlobGasPerBlock: ANY_BLOB_GAS } });
  rules.updateParams({ 7825: { maxTransactionGasLimit: ANY_GAS } });
  if (maxCodeBytes !== undefined) rules.updateParams({ [EIP_607]: { maxCodeSize: maxCodeBytes } });
  rules.copy = () => rules;
  rules.updateParams = () => {};
  // Asked for at every step of a run: a list is searched, and a number converted, each time. It is also the
  // one place from which a run can be broken off without being slowed down.
  const isActivated = keepAnswers(rules.isActivatedEIP.bind(rules));
  rules.isActivatedEIP = (eip) => {
    tick();
    return isActivated(eip);
  };
  rules.param = keepAnswers(rules.param.bind(rules));
}

function keepAnswers<Q, A>(ask: (question: Q) => A): (question: Q) => A {
  const answers = new Map<Q, A>();
  return (question) => {
    let answer = answers.get(question);
    if (answer === undefined) {
      answer = ask(question);
      answers.set(question, answer);
    }
    return answer;
  };
}

function nameOf(fork: Fork): Hardfork {
  const name = OTHER_NAMES[fork] ?? fork;
  if (KNOWN_NAMES.has(name)) return name as Hardfork;
  throw new Error(`EthereumJS does not know ${fork}; run the chain with --evm=plinth`);
}
