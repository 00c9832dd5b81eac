import { messageOf, RpcError } from "@plinth/core";
import { BlockPruned, StatePruned } from "@plinth/core/chain";
import type { GraphQLError } from "graphql/index.js";
import type { AnsweredError } from "../documents/refusal.js";
import { FieldProblem } from "./field-problem.js";

/** Errors whose message is for the caller. */
const KNOWN = [FieldProblem, StatePruned, BlockPruned];

/** The error of a field that could not be resolved; unexpected errors are logged and hidden. */
export function describeError(
  { message, originalError, path = [], locations }: GraphQLError,
  report: (error: unknown) => void,
): AnsweredError {
  const coded = originalError instanceof RpcError ? originalError : undefined;
  const isKnown = coded !== undefined || KNOWN.some((type) => originalError instanceof type);
  if (!isKnown) report(originalError ?? message);
  const internal = isKnown ? undefined : RpcError.internal();
  const shown = coded ?? internal;
  const text = shown?.message ?? messageOf(originalError);
  return {
    message: `Exception while fetching data (${formatPath(path)}) : ${text}`,
    ...(locations === undefined ? {} : { locations }),
    path,
    extensions: {
      ...(shown === undefined ? {} : { errorCode: shown.rpcCode, errorMessage: shown.message }),
      classification: "DataFetchingException",
    },
  };
}

/** `/blocks[0]/miner`. */
function formatPath(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : `/${step}`)).join("");
}
