import type { Position, ReportForm } from "./report-form.js";
import type { Verdict } from "./verdict.js";

/** Longer values are cut; those of `--json` are not. */
const MAX_CHARACTERS = 140;

/** The report for people. */
export const TEXT_FORM: ReportForm = {
  difference({ block, transaction, field, network, here }) {
    const place = transaction && `, transaction ${transaction.index} (${transaction.hash})`;
    return `block ${block}${place ?? ""}: ${field}: network ${cut(network)}, here ${cut(here)}`;
  },
  reorganization: ({ ancestor, head }) =>
    `The network has replaced the blocks ${ancestor.number + 1n} to ${head.number}; continuing after block ${ancestor.number} (${ancestor.hash})`,
  obstacle: ({ block, reason }) =>
    `The state differs since block ${block} and cannot be corrected: ${reason}. Later blocks are not executed`,
  progress: (position) => `Mirror at ${describe(position)}`,
  status: (position) => `${describe(position)} · ${counted(position.differences, "difference")}`,
  verdict(verdict, seconds) {
    const { failure } = verdict;
    const failed = failure === undefined ? [] : [`The node failed: ${failure}`];
    return [...failed, describeVerdict(verdict, seconds)].join("\n");
  },
};

function describe({ number, target, rate }: Position): string {
  const behind = target > number ? target - number : 0n;
  return `block ${number.toLocaleString("en")} · ${behind.toLocaleString("en")} behind · ${Math.round(rate).toLocaleString("en")} blocks/s`;
}

function describeVerdict(verdict: Verdict, seconds: number): string {
  const { blocks, transactions, differences, differingBlocks, first, last } = verdict;
  if (first === undefined) return "Verdict: no block was executed";
  const executed = `${counted(blocks, "block")} with ${counted(transactions, "transaction")} (${first} to ${last}, ${seconds.toFixed(1)} s)`;
  if (differences === 0) return `Verdict: no difference in ${executed}`;
  return `Verdict: ${counted(differences, "difference")} in ${counted(differingBlocks, "block")} of ${executed}, the first in block ${verdict.firstDifference}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}
