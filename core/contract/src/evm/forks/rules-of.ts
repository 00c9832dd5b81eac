import { FORKS, type Fork } from "../fork.js";
import { FRONTIER } from "./frontier.js";
import type { ProtocolPrecompile } from "./precompile.js";
import { RECORDS } from "./records.js";
import type { ForkRecord, Opcode, RuleSet } from "./rule-set.js";

const RULES = createRules();

/** The rules under a fork; computed once. */
export function rulesOf(fork: Fork): RuleSet {
  return RULES[fork];
}

function createRules(): Readonly<Record<Fork, RuleSet>> {
  let rules = FRONTIER;
  const entries = FORKS.map((fork) => {
    rules = change(rules, RECORDS[fork]);
    return [fork, rules] as const;
  });
  return Object.fromEntries(entries) as Record<Fork, RuleSet>;
}

function change(before: RuleSet, record: ForkRecord): RuleSet {
  const { blockKeys, timeKeys, opcodes, opcodeGas, precompiles, precompilePrices, ...rules } =
    record;
  return {
    ...before,
    ...rules,
    opcodes: { ...before.opcodes, ...opcodes, ...reprice(before.opcodes, opcodeGas) },
    precompiles: {
      ...before.precompiles,
      ...precompiles,
      ...repriceCalls(before.precompiles, precompilePrices),
    },
  };
}

function reprice(
  opcodes: RuleSet["opcodes"],
  gas: ForkRecord["opcodeGas"] = {},
): Record<string, Opcode> {
  return Object.fromEntries(
    Object.entries(gas).map(([name, price]) => {
      const [byte, inputs, outputs] = known(opcodes, name);
      return [name, [byte, inputs, outputs, price]];
    }),
  );
}

function repriceCalls(
  precompiles: RuleSet["precompiles"],
  prices: ForkRecord["precompilePrices"] = {},
): Record<string, ProtocolPrecompile> {
  return Object.fromEntries(
    Object.entries(prices).map(([name, priceEip]) => {
      return [name, { ...known(precompiles, name), priceEip }];
    }),
  );
}

function known<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = table[name];
  if (found === undefined) throw new Error(`a fork reprices ${name}, which no earlier fork has`);
  return found;
}
