import { ConfigError } from "@plinth/core";
import { shown } from "./shown.js";

/** The other node cannot be reached, is too slow, or sends what is not JSON-RPC. */
export class RemoteUnreachable extends ConfigError {
  constructor(source: string, problem: string, cause?: unknown) {
    super("FORK_UNREACHABLE", { message: shown(`${source}: ${problem}`), source, cause });
  }
}

/** The other node rejects a call. */
export class RemoteRefusal extends ConfigError {
  readonly method: string;
  readonly rpcCode: number;
  /** Its message. */
  readonly reason: string;

  constructor(
    source: string,
    call: { readonly method: string; readonly rpcCode: number; readonly reason: string },
  ) {
    const { method, rpcCode, reason } = call;
    super("FORK_REJECTED", {
      message: shown(`${source} rejects ${method}: ${reason} (${rpcCode})`),
      source,
    });
    this.method = method;
    this.rpcCode = rpcCode;
    this.reason = shown(reason);
  }
}

/** What the other node sends contradicts itself, or is not what the block commits to. */
export class RemoteInconsistent extends ConfigError {
  constructor(source: string, problem: string, cause?: unknown) {
    super("FORK_INCONSISTENT", { message: shown(`${source}: ${problem}`), source, cause });
  }
}

/** Whether an error is a fault of the other node. */
export function isOfRemote(
  error: unknown,
): error is RemoteUnreachable | RemoteRefusal | RemoteInconsistent {
  return (
    error instanceof RemoteUnreachable ||
    error instanceof RemoteRefusal ||
    error instanceof RemoteInconsistent
  );
}
