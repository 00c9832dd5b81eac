import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { findForkKey } from "@plinth/core/rules";

/** In seconds, this is later than anything operators plan; in milliseconds it is the year 2001. */
const TOO_LATE = 1_000_000_000_000n;

/** Times in milliseconds, and a chain that starts in the future. */
export function checkTimes({
  config,
  header: { timestamp },
  forks,
  hasOwnTime,
  nowSeconds,
}: GenesisFacts): readonly GenesisFinding[] {
  const findings: GenesisFinding[] = [];
  if (hasOwnTime && timestamp >= TOO_LATE) {
    findings.push({
      severity: "error",
      key: "timestamp",
      problem: `is ${timestamp}, which looks like milliseconds: no block could follow in our lifetime`,
      fix: `write seconds: ${timestamp / 1000n}`,
    });
  } else if (hasOwnTime && timestamp > nowSeconds) {
    findings.push({
      severity: "warning",
      key: "timestamp",
      problem: `is in the future: there is no block before ${formatTime(timestamp)}`,
      fix: "wait, or correct it or the clock of this machine",
    });
  }
  for (const { fork, by, value } of forks.activations) {
    if (by !== "time" || value < TOO_LATE) continue;
    findings.push({
      severity: "warning",
      key: `config.${findForkKey(config, fork) ?? fork}`,
      problem: `is ${value}, which looks like milliseconds: the fork is never activated`,
      fix: `write seconds: ${value / 1000n}`,
    });
  }
  return findings;
}

function formatTime(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString();
}
