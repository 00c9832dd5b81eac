import { type Log, type Receipt, type Transaction, toHex } from "@plinth/core";
import { type Compared, compare, type Difference } from "./difference.js";

/** The receipts of a block on both sides. */
export interface ReceiptsOfBlock {
  readonly transactions: readonly Transaction[];
  readonly network: readonly Receipt[];
  /** Fewer if not all transactions could run. */
  readonly here: readonly Receipt[];
}

/** The differences of receipts, each with its transaction. */
export function compareReceipts({
  transactions,
  network,
  here,
}: ReceiptsOfBlock): readonly (Compared & Pick<Difference, "transaction">)[] {
  return here.flatMap((receipt, index) => {
    const { hash } = transactions[index] ?? {};
    const theirs = network[index];
    if (hash === undefined || theirs === undefined) return [];
    const gas = compare("gasUsed", gasOf(network, index), gasOf(here, index));
    return [...compareOutcome(theirs, receipt), ...gas, ...compareLogs(theirs, receipt)].map(
      (found) => ({ ...found, transaction: { hash, index } }),
    );
  });
}

function compareOutcome(network: Receipt, here: Receipt): readonly Compared[] {
  return [
    ...compare("type", network.type, here.type),
    ...compare("status", network.status, here.status),
    ...compare("root", network.postState, here.postState),
  ];
}

/** Of a transaction alone: cumulative gas would repeat a difference for all that follow. */
function gasOf(receipts: readonly Receipt[], index: number): bigint {
  const before = receipts[index - 1]?.cumulativeGasUsed ?? 0n;
  return (receipts[index]?.cumulativeGasUsed ?? 0n) - before;
}

function compareLogs(network: Receipt, here: Receipt): readonly Compared[] {
  const counts = compare("logs", countOf(network.logs), countOf(here.logs));
  const shared = network.logs.slice(0, here.logs.length);
  const contents = shared.flatMap((log, index) => compareLog(log, here.logs[index], index));
  const blooms = compare("logsBloom", toHex(network.logsBloom), toHex(here.logsBloom));
  return [...counts, ...contents, ...blooms];
}

function countOf({ length }: readonly Log[]): string {
  return length === 1 ? "1 log" : `${length} logs`;
}

function compareLog(network: Log, here: Log | undefined, index: number): readonly Compared[] {
  if (here === undefined) return [];
  const name = `logs[${index}]`;
  return [
    ...compare(`${name}.address`, network.address, here.address),
    ...compare(`${name}.topics`, network.topics.join(" "), here.topics.join(" ")),
    ...compare(`${name}.data`, toHex(network.data), toHex(here.data)),
  ];
}
