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

/** EthereumJS's names of forks that differ; the merge is not a fork here. */
const OTHER_NAMES: Readonly<Partial<Record<Fork, Hardfork>>> = {
  frontier: Hardfork.Chainstart,
  paris: Hardfork.GrayGlacier,
};
const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(Hardfork));

/** PREVRANDAO, which came with the merge that private networks never have. */
const EIP_4399 = 4399;
/** Spurious Dragon, which introduced the code size limit. */
const EIP_607 = 607;
/** More blobs than any block may have: the core enforces the limit. */
const ANY_BLOB_GAS = 2 ** 30;

/** EIP-7825: the core enforces the gas limit of a transaction, too, and calls may have more. */
const ANY_GAS = "0x7fffffffffffffff";

/** Inputs for the rules of a chain. */
export interface RulesSettings {
  readonly fork: Fork;
  readonly chainId: bigint;
  /** Code size limit of a new contract; by default that of the fork. */
  readonly maxCodeBytes?: number | undefined;
  readonly crypto: Pick<Crypto, "keccak256">;
}

/**
 * The rules of one fork, in force from block 0.
 *
 * The merge is omitted from the list: with it EthereumJS switches to proof of stake and demands a difficulty of zero,
 * which BFT and Clique chains do not have.
 */
export function createRules({ fork, chainId, crypto }: RulesSettings): Common {
  const active = new Set(FORKS.slice(0, FORKS.indexOf(fork) + 1).map(nameOf));
  const rules = createCustomCommon(
    {
      // EthereumJS stores a number; the method below returns all bits.
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
 * Freezes the rules of a machine.
 *
 * EthereumJS copies its rules for every transaction and every block, and merges the same parameters into each copy,
 * which costs more than executing a transfer. A machine has one fork, so all of them can share one object.
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
  // Called at every step of a run: otherwise a list is searched, and a number converted, each time.
  // It is also the only place from which a run can be aborted without slowing it down.
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
  throw new Error(`EthereumJS does not support ${fork}; run the chain with --evm=plinth`);
}
