import { PlinthError } from "../kernel/errors.js";

/** An error for the caller, with its JSON-RPC code. */
export class RpcError extends PlinthError {
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown) {
    super("RPC_ERROR", { message });
    this.rpcCode = rpcCode;
    this.data = data;
  }

  /** The body is not JSON. */
  static parseError(): RpcError {
    return new RpcError(-32700, "Parse error");
  }

  /** JSON, but not a request; `detail` is the problem. */
  static invalidRequest(detail?: string): RpcError {
    return new RpcError(
      -32600,
      detail === undefined ? "Invalid Request" : `Invalid Request: ${detail}`,
    );
  }

  /** No loaded plugin has the method. */
  static methodNotFound(): RpcError {
    return new RpcError(-32601, "Method not found");
  }

  /** The method exists, but is not enabled on this listener or not used on this chain. */
  static methodNotEnabled(reason?: string): RpcError {
    return new RpcError(
      -32604,
      reason === undefined ? "Method not enabled" : `Method not enabled: ${reason}`,
    );
  }

  /** An invalid parameter; `text` replaces the general message. */
  static invalidParams(text = "Invalid params"): RpcError {
    return new RpcError(-32602, text);
  }

  /** An internal error whose details the caller must not see. */
  static internal(): RpcError {
    return new RpcError(-32603, "Internal error");
  }

  /** The caller is not permitted to do this. */
  static unauthorized(): RpcError {
    return new RpcError(-40100, "Unauthorized");
  }

  /** Too many requests in one batch. */
  static batchTooLarge(): RpcError {
    return new RpcError(-32005, "Number of requests exceeds max batch size");
  }

  /** The response exceeds a limit of the listener; the code is that of geth. */
  static responseTooLarge(): RpcError {
    return new RpcError(-32003, "Response too large");
  }

  /** The time limit of the request has passed. */
  static timeout(): RpcError {
    return new RpcError(-32603, "Timeout expired");
  }
}

/** The caller is throttled. */
export class LimitExceeded extends RpcError {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    const ms = Math.max(1, Math.ceil(retryAfterMs));
    super(-32005, `${message}; try again in ${formatSeconds(ms)} s`, { retryAfterMs: ms });
    this.retryAfterMs = ms;
  }
}

/** Rounded up, so that a caller that waits this long is not too early. */
function formatSeconds(ms: number): string {
  return ms >= 1000 ? String(Math.ceil(ms / 1000)) : (Math.ceil(ms / 10) / 100).toString();
}
