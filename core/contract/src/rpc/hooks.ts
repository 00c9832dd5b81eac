import type { HookFactory } from "../kernel/hooks.js";
import type { RpcClient } from "./client.js";
import type { Endpoint } from "./endpoint.js";
import { RpcError } from "./errors.js";
import type { Method } from "./method.js";

/** A request, a batch or a message before parsing; over HTTP its body has not been read either. */
export interface IncomingEvent {
  readonly client: RpcClient;
  readonly endpoint: Endpoint;
}

/** A call about to be handled. */
export interface AuthorizeEvent {
  readonly method: string;
  /** The permission required of the caller. */
  readonly permission: string;
  readonly client: RpcClient;
  readonly endpoint: Endpoint;
  /** Decoded on first read, which throws the error for invalid parameters. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A call whose handler returned an error. */
export type FailedCall = Omit<AuthorizeEvent, "permission">;

/** A call that a plugin or a limit rejected. */
export interface DeniedEvent {
  /** `undefined` if nothing of the request was read. */
  readonly method: string | undefined;
  readonly client: RpcClient;
  readonly endpoint: Endpoint;
  readonly error: RpcError;
}

/** A completed call. */
export interface CalledEvent {
  readonly method: string;
  readonly client: RpcClient;
  readonly endpoint: Endpoint;
  readonly seconds: number;
  readonly error: RpcError | undefined;
}

/** The position of a method, for plugins that wrap it. */
export interface MethodContext {
  readonly namespace: string;
  readonly name: string;
  readonly plugin: string;
}

/** Hooks of the JSON-RPC area. */
export function createRpcHooks(hook: HookFactory) {
  return {
    method: hook.rewrite<Method<unknown>, MethodContext>(
      "rpc.method",
      {
        since: "0.1.0",
        summary: "Once per method, when registration ends: wrap or replace it.",
      },
      { isRight: isMethod, text: "a method" },
    ),
    admit: hook.decide<IncomingEvent, RpcError>(
      "rpc.admit",
      {
        since: "0.1.0",
        summary: "A body is about to be read or parsed: return an error to reject it as a whole.",
      },
      { isRight: (answer) => answer instanceof RpcError, text: "an RpcError" },
    ),
    authorize: hook.decide<AuthorizeEvent, RpcError>(
      "rpc.authorize",
      {
        since: "0.1.0",
        summary:
          "The method is known, the handler has not run: return an error to reject the call.",
      },
      { isRight: (answer) => answer instanceof RpcError, text: "an RpcError" },
    ),
    failed: hook.refine<RpcError, FailedCall>(
      "rpc.failed",
      {
        since: "0.1.0",
        summary: "A handler failed a call with an error: return a more detailed one.",
      },
      { isRight: (answer) => answer instanceof RpcError, text: "an RpcError" },
    ),
    denied: hook.notify<DeniedEvent>("rpc.denied", {
      since: "0.1.0",
      summary: "A call was rejected because of its caller, or because of a limit.",
    }),
    called: hook.notify<CalledEvent>("rpc.called", {
      since: "0.1.0",
      summary: "A call completed; `error` is the error sent to the caller.",
    }),
  };
}

function isMethod(answer: unknown): boolean {
  const { handle, params, result } = Object(answer);
  return typeof handle === "function" && params instanceof Object && result instanceof Object;
}

/** Hooks of the JSON-RPC area, as held by their owner. */
export type RpcHooks = ReturnType<typeof createRpcHooks>;
