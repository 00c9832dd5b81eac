import { messageOf, RpcError } from "@plinth/core";
import { AccountOverflow } from "@plinth/core/blocks";
import { BlockPruned, StateMissing, StatePruned } from "@plinth/core/chain";
import { RunTooLarge, RunTooLong } from "@plinth/core/evm";
import { ImpossibleCall, OverrideProblem } from "@plinth/core/query";
import { JobCanceled } from "./job-canceled.js";

/** A serialized error: what its class needs to recreate it. */
export interface ThreadError {
  readonly type: string;
  readonly message: string;
  readonly fields: readonly unknown[];
  readonly stack: string | undefined;
}

/** The errors that callers distinguish. */
const KNOWN = [
  { type: JobCanceled, fields: () => [] },
  { type: RpcError, fields: (e: RpcError) => [e.rpcCode, e.message, e.data] },
  { type: ImpossibleCall, fields: (e: ImpossibleCall) => [e.reason, e.detail] },
  { type: StatePruned, fields: (e: StatePruned) => [e.message] },
  { type: BlockPruned, fields: (e: BlockPruned) => [e.message] },
  { type: StateMissing, fields: (e: StateMissing) => [e.values, e.run] },
  { type: RunTooLong, fields: (e: RunTooLong) => [e.maxMs] },
  { type: RunTooLarge, fields: (e: RunTooLarge) => [e.maxBytes] },
  { type: OverrideProblem, fields: (e: OverrideProblem) => [e.kind, e.message] },
  { type: AccountOverflow, fields: (e: AccountOverflow) => [e.rule, e.message] },
] as const;

/** Makes an error cloneable. */
export function packError(error: unknown): ThreadError {
  const known = KNOWN.find(({ type }) => error instanceof type);
  const message = messageOf(error);
  const stack = error instanceof Error ? error.stack : undefined;
  if (known === undefined) return { type: "Error", message, fields: [], stack };
  return { type: known.type.name, message, fields: known.fields(error as never), stack };
}

/** Restores an error; one that callers do not distinguish keeps its message and its stack. */
export function unpackError({ type, message, fields, stack }: ThreadError): Error {
  const known = KNOWN.find((candidate) => candidate.type.name === type);
  if (known !== undefined) return Reflect.construct(known.type, fields);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
