import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { findForkKey } from "@plinth/core/rules";

/** Forks activated before one they build on: different clients would diverge there. */
export function checkForkOrder({ config, forks }: GenesisFacts): readonly GenesisFinding[] {
  const findings: GenesisFinding[] = [];
  const keyOf = (fork: (typeof forks.activations)[number]["fork"]) =>
    `config.${findForkKey(config, fork) ?? fork}`;
  for (const [index, { fork, by, value }] of forks.activations.entries()) {
    const before = forks.activations
      .slice(0, index)
      .find((each) => each.fork !== fork && each.by === by && each.value > value);
    const twin = forks.activations[index - 1];
    if (before !== undefined) {
      findings.push({
        severity: "error",
        key: keyOf(fork),
        problem: `is ${value}, but ${before.fork}, which comes before it, is activated at ${before.value}: some nodes would fall back to the older rules there`,
        fix: `activate ${before.fork} at ${value} or earlier`,
      });
    } else if (twin !== undefined && twin.fork === fork && twin.value !== value) {
      findings.push({
        severity: "error",
        key: keyOf(fork),
        problem: `is activated at ${twin.value} by one key and at ${value} by another`,
        fix: "give both keys the same block",
      });
    }
  }
  return [...findings, ...checkLondon(forks)];
}

/**
 * Without a block for London, Besu gives block 0 no base fee, and therefore another hash than nodes
 * that imply the fork.
 */
function checkLondon({ activations }: GenesisFacts["forks"]): readonly GenesisFinding[] {
  const byTime = activations.find(({ by }) => by === "time");
  const hasLondon = activations.some(({ fork, by }) => fork === "london" && by === "block");
  if (byTime === undefined || hasLondon) return [];
  return [
    {
      severity: "warning",
      key: "config.londonBlock",
      problem: `is missing, but ${byTime.fork} is activated by time: other nodes, Besu among them, create a different block 0 from such a file`,
      fix: "add londonBlock: 0 before the network starts",
    },
  ];
}
