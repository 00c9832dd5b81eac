import type { Block, Transaction } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { shortAddress } from "./abi/decode.js";
import type { CallTracer } from "./call-tracer.js";
import { formatTrace } from "./call-tree.js";
import { grouped } from "./grouped.js";
import type { Names } from "./names.js";
import { describeFailure } from "./outcomes.js";

/** A line about a transaction. */
export interface TransactionLine {
  readonly text: string;
  readonly isFailure: boolean;
}

/** Traces of the transactions that were re-executed, by index. */
export type Traces = ReadonlyMap<number, CallTracer>;

const INDENT = "  ";

/**
 * The lines for a block's transactions: creations, function calls, failures, and console output.
 */
export function formatTransactions(
  { body }: Block,
  results: readonly EvmResult[],
  { names, traces, showsTree }: { names: Names; traces: Traces; showsTree: boolean },
): readonly TransactionLine[] {
  return body.transactions.flatMap((transaction, index): TransactionLine[] => {
    const result = results[index];
    if (result === undefined) return [];
    const trace = traces.get(index);
    const first = formatFirst(transaction, result, names);
    if (first === undefined) return [];
    const lines = trace === undefined ? [] : formatTrace(trace, { names, showsTree });
    const below = lines.map((text) => ({ text: `${INDENT}${INDENT}${text}`, isFailure: false }));
    return [first, ...below];
  });
}

function formatFirst(
  transaction: Transaction,
  result: EvmResult,
  names: Names,
): TransactionLine | undefined {
  const isFailure = result.outcome !== "success";
  const what = describe(transaction, result, names);
  if (what === undefined && !isFailure) return undefined;
  const gas = `${grouped(result.gasUsed)} gas`;
  const failure = isFailure ? [describeFailure(result, (data) => names.describeError(data))] : [];
  const parts = [...(what === undefined ? [] : [what]), gas, ...failure];
  return { text: `${INDENT}${transaction.hash} ${parts.join(" · ")}`, isFailure };
}

/**
 * Description of its action; `undefined` for a plain transfer, which the line of the block counts.
 */
function describe({ to, data }: Transaction, result: EvmResult, names: Names): string | undefined {
  if (to === undefined) {
    const name = names.contractOf(data) ?? "a contract";
    const { createdAddress } = result;
    if (result.outcome !== "success" || createdAddress === undefined) return `create ${name}`;
    return `created ${names.contractOf(data) === undefined ? "" : `${name} at `}${createdAddress}`;
  }
  if (data.length < 4) return undefined;
  const place = names.contractAt(to) ?? shortAddress(to);
  const selector = `0x${Buffer.from(data.subarray(0, 4)).toString("hex")}`;
  return `${place}.${names.describeCall(data) ?? `${selector}(…)`}`;
}
