import type { NodeHooks, PluginMetrics } from "@plinth/core";

/** Names of the errors common to every method; others go by their code. */
const ERRORS: Readonly<Record<number, string>> = {
  [-32700]: "PARSE_ERROR",
  [-32600]: "INVALID_REQUEST",
  [-32601]: "METHOD_NOT_FOUND",
  [-32602]: "INVALID_PARAMS",
  [-32603]: "INTERNAL_ERROR",
  [-32604]: "METHOD_NOT_ENABLED",
  [-40100]: "UNAUTHORIZED",
};

/** Measures the duration of calls, and counts failures, while enabled. */
export function measureCalls(
  metrics: PluginMetrics,
  { rpc }: Pick<NodeHooks, "rpc">,
  isWanted: () => boolean,
): void {
  const area = metrics.area("rpc");
  const times = area.histogram({
    name: "request_time",
    help: "Duration of calls in seconds.",
    labels: ["methodName"],
  });
  const errors = area.counter({
    name: "errors_count",
    help: "Calls that returned an error.",
    labels: ["rpcMethod", "errorType"],
  });
  rpc.called.tap(({ method, seconds, error }) => {
    if (!isWanted()) return;
    const code = error?.rpcCode;
    // Callers can invent any number of names.
    const name = code === -32601 ? "unknown" : method;
    times.observe(seconds, { methodName: name });
    if (code !== undefined) errors.increment(1, { rpcMethod: name, errorType: nameOf(code) });
  });
}

function nameOf(code: number): string {
  return ERRORS[code] ?? `CODE_${-code}`;
}
