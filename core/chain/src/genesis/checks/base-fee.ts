import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { rulesOf } from "@plinth/core/evm";
import { findMember, findNumber } from "@plinth/core/rules";

/** The base fee settings must be consistent. */
export function checkBaseFee({
  genesis,
  config,
  forks,
  baseFee,
}: GenesisFacts): readonly GenesisFinding[] {
  const findings: GenesisFinding[] = [];
  const initial = findMember(genesis, "baseFeePerGas");
  const hasLondon = forks.activations.some(({ fork }) => rulesOf(fork).hasBaseFee);
  const isZero = findMember(config, "zeroBaseFee") === true;
  const isFixed = findMember(config, "fixedBaseFee") === true;
  if (isZero && isFixed) {
    findings.push({
      severity: "warning",
      key: "config.fixedBaseFee",
      problem: "has no effect together with zeroBaseFee",
      fix: "keep one of them",
    });
  }
  if (baseFee !== "market" && !hasLondon) {
    findings.push({
      severity: "warning",
      key: `config.${baseFee}BaseFee`,
      problem:
        "has no effect: there is no base fee before London, and no fork from London on is set",
      fix: "add londonBlock, or remove it",
    });
  }
  if (initial !== undefined && !hasLondon) {
    findings.push({
      severity: "warning",
      key: "baseFeePerGas",
      problem: "is in block 0 only: no fork from London on is set",
      fix: "add londonBlock, or remove it",
    });
  }
  if (isZero && (findNumber(initial) ?? 0n) > 0n) {
    findings.push({
      severity: "warning",
      key: "baseFeePerGas",
      problem: `is ${initial} in block 0, and zeroBaseFee makes it 0 in all others`,
      fix: "remove one of them",
    });
  }
  if (baseFee === "fixed") {
    findings.push({
      severity: "note",
      key: "config.fixedBaseFee",
      problem: "the base fee is the value of --min-gas-price; all validators need the same value",
    });
  }
  return findings;
}
