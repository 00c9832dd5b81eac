import { type Address, messageOf, RlpError } from "@plinth/core";
import type { EngineCheckContext, GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { checkAuthorities, checkFunds } from "@plinth/kit-poa";
import type { BftExtraDataCodec } from "../blocks/extra-data.js";
import { BFT_MIX_HASH } from "../blocks/header-rules.js";
import { maxFailures, quorumOf } from "../height/quorum.js";
import { checkEmptyPeriodName } from "./check-empty-period.js";
import { checkTransactionGas } from "./check-transaction-gas.js";
import { checkTransitions } from "./check-transitions.js";
import type { BftSettings, BftTransition } from "./settings.js";

/** The engine-specific facts of the file. */
export interface BftGenesisRules {
  readonly codec: BftExtraDataCodec;
  /** The contract that determines the validators of block 1. */
  readonly contract?: Address | undefined;
  /** Whether it starts at block 0, so that the extra data is its own. */
  readonly isFirst: boolean;
  /** The effect of the old name of the empty block period. */
  readonly oldEmptyPeriod: string;
}

/** The findings of every BFT engine about a genesis file. */
export function checkBftGenesis(
  context: EngineCheckContext<BftSettings, BftTransition>,
  rules: BftGenesisRules,
): readonly GenesisFinding[] {
  const { settings, transitions, facts } = context;
  const { engine } = rules.codec;
  const rewards = [settings.blockReward, ...transitions.map(({ blockReward = 0n }) => blockReward)];
  return [
    ...(rules.isFirst ? checkFirstBlock(facts, rules) : []),
    ...checkTransitions(context, engine),
    ...checkTransactionGas(context, engine),
    ...checkRequests(facts),
    ...checkFunds(facts, { hasReward: rewards.some((reward) => reward > 0n) }),
    ...checkEmptyPeriodName(context, engine, rules.oldEmptyPeriod),
  ];
}

function checkFirstBlock(facts: GenesisFacts, rules: BftGenesisRules): readonly GenesisFinding[] {
  const { mixHash, difficulty } = facts.header;
  const findings = [...checkExtraData(facts, rules)];
  if (mixHash !== BFT_MIX_HASH) {
    findings.push({
      severity: "warning",
      key: "mixHash",
      problem: "is not that of BFT chains, by which tools recognize them",
      fix: `use "${BFT_MIX_HASH}" before the network starts`,
    });
  }
  if (difficulty !== 1n) {
    findings.push({
      severity: "warning",
      key: "difficulty",
      problem: `is ${difficulty}; every later block has 1`,
      fix: 'use "0x1" before the network starts',
    });
  }
  return findings;
}

function checkExtraData(
  { header: { extraData }, accounts }: GenesisFacts,
  { codec, contract }: BftGenesisRules,
): readonly GenesisFinding[] {
  let members: readonly Address[];
  try {
    members = codec.decodeValidators(extraData);
  } catch (error) {
    if (!(error instanceof RlpError)) throw error;
    return [
      {
        severity: "error",
        key: "extraData",
        problem: `is not that of this engine: ${messageOf(error)}`,
        fix: `\`plinth rlp encode --type=${codec.type}\` creates it from a list of validators`,
      },
    ];
  }
  const count = new Set(members).size;
  if (contract === undefined) {
    const [mustAgree, mayLie] = [quorumOf(count), maxFailures(count)];
    return checkAuthorities({ members, noun: "validators", mustAgree, mayLie });
  }
  return [
    ...(members.length > 0 ? [listIsIgnored(members.length)] : []),
    ...((accounts.get(contract)?.code.length ?? 0) > 0 ? [] : [contractIsMissing(contract)]),
  ];
}

function listIsIgnored(count: number): GenesisFinding {
  return {
    severity: "warning",
    key: "extraData",
    problem: `lists ${count} validators, but a contract determines them: the list is ignored`,
    fix: "list none",
  };
}

function contractIsMissing(contract: Address): GenesisFinding {
  return {
    severity: "warning",
    key: "alloc",
    problem: `has no code for ${contract}, the contract that determines the validators: no block can be produced`,
    fix: "add the contract, with the first validators in its storage",
  };
}

/** Contracts that newer releases of Besu call at the end of each block from Prague on. */
const REQUEST_CONTRACTS: readonly Address[] = [
  "0x00000961ef480eb55e80d19ad83579a64c007002",
  "0x0000bbddc7ce488642fb579f8b00f3a590007251",
];

function checkRequests({ forks, accounts }: GenesisFacts): readonly GenesisFinding[] {
  const prague = forks.activations.find(({ fork }) => fork === "prague");
  const missing = REQUEST_CONTRACTS.filter(
    (address) => (accounts.get(address)?.code.length ?? 0) === 0,
  );
  if (prague === undefined || missing.length === 0) return [];
  return [
    {
      severity: "warning",
      key: "config.pragueTime",
      problem: `needs contracts that alloc lacks: ${missing.join(", ")}. Newer releases of Besu stop at the first block of Prague without them`,
      fix: "add the contracts of EIP-7002 and EIP-7251 to alloc, or remove Prague",
    },
  ];
}
