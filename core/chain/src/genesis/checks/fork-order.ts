import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { findForkKey } from "@plinth/core/rules";

/** Forks that begin before one they build on: nodes of different makers would part there. */
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
        problem: `is ${value}, and ${before.fork}, which comes before it, begins at ${before.value}: some nodes would go back to the older rules there`,
        fix: `let ${before.fork} begin at ${value} or earlier`,
      });
    } else if (twin !== undefined && twin.fork === fork && twin.value !== value) {
      findings.push({
        severity: "error",
        key: keyOf(fork),
        problem: `begins at ${twin.value} by one key and at ${value} by another`,
        fix: "give both keys the same block",
      });
    }
  }
  return [...findings, ...checkLondon(forks)];
}

/** Without a block for London, Besu gives block 0 no base fee, and another hash than nodes that imply the fork. */
function checkLondon({ activations }: GenesisFacts["forks"]): readonly GenesisFinding[] {
  const byTime = activations.find(({ by }) => by === "time");
  const hasLondon = activations.some(({ fork, by }) => fork === "london" && by === "block");
  if (byTime === undefined || hasLondon) return [];
  return [
    {
      severity: "warning",
      key: "config.londonBlock",
      problem: `is missing, and ${byTime.fork} begins at a time: other nodes, Besu among them, make another block 0 of such a file`,
      fix: "add londonBlock: 0 before the network begins",
    },
  ];
}
