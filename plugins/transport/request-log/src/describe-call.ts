import type { CalledEvent, LogFields } from "@plinth/core";

const METHOD_NOT_FOUND = -32601;

/** The log fields of a call: caller, method, duration and error code, never its parameters. */
export function describeCall({ method, client, endpoint, seconds, error }: CalledEvent): LogFields {
  const { identity, remoteAddress } = client;
  return {
    client: remoteAddress ?? "local",
    ...(identity !== undefined && { user: identity.name }),
    listener: endpoint.name,
    // Callers can invent names, with line breaks in them.
    method: error?.rpcCode === METHOD_NOT_FOUND ? "unknown" : method,
    ms: Math.round(seconds * 1000),
    code: error?.rpcCode ?? 0,
  };
}
