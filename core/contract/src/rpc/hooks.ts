import type { HookFactory } from "../kernel/hooks.js";
import type { RpcClient } from "./client.js";
import type { Endpoint } from "./endpoint.js";
import { RpcError } from "./errors.js";
import type { Method } from "./method.js";

/** A request, a batch or a message that is not parsed yet; over HTTP its body is not read yet either. */
export interface IncomingEvent {
  readonly client: RpcClient;
  readonly endpoint: Endpoint;
}

/** A call that is about to be handled. */
export interface AuthorizeEvent {
  readonly method: string;
  /** What a caller must hold. */
  readonly permission: string;
  readonly client: RpcClient;
  readonly endpoint: Endpoint;
  /** Decoded when they are first read, which throws the error of parameters that do not fit. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A call whose handler returned an error. */
export type FailedCall = Omit<AuthorizeEvent, "permission">;

/** A call that a plugin or a limit refused. */
export interface DeniedEvent {
  /** `undefined` when nothing of the request was read. */
  readonly method: string | undefined;
  readonly client: RpcClient;
  readonly endpoint: Endpoint;
  readonly error: RpcError;
}

/** A call that was answered. */
export interface CalledEvent {
  readonly method: string;
  readonly client: RpcClient;
  readonly endpoint: Endpoint;
  readonly seconds: number;
  readonly error: RpcError | undefined;
}

/** Where a method stands, for those who wrap it. */
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
        summary: "Once per method, when registration ends: wrap it or put another in its place.",
      },
      { isRight: isMethod, text: "a method" },
    ),
    admit: hook.decide<IncomingEvent, RpcError>(
      "rpc.admit",
      {
        since: "0.1.0",
        summary: "A body is about to be read or parsed: answer an error to refuse it as a whole.",
      },
      { isRight: (answer) => answer instanceof RpcError, text: "an RpcError" },
    ),
    authorize: hook.decide<AuthorizeEvent, RpcError>(
      "rpc.authorize",
      {
        since: "0.1.0",
        summary:
          "The method is known, the handler has not run: answer an error to refuse the call.",
      },
      { isRight: (answer) => answer instanceof RpcError, text: "an RpcError" },
    ),
    failed: hook.refine<RpcError, FailedCall>(
      "rpc.failed",
      {
        since: "0.1.0",
        summary: "A handler refused a call with an error: answer one that says more.",
      },
      { isRight: (answer) => answer instanceof RpcError, text: "an RpcError" },
    ),
    denied: hook.notify<DeniedEvent>("rpc.denied", {
      since: "0.1.0",
      summary: "A call was refused because of who makes it, or because of a limit.",
    }),
    called: hook.notify<CalledEvent>("rpc.called", {
      since: "0.1.0",
      summary: "A call was answered; `error` is what the caller got.",
    }),
  };
}

function isMethod(answer: unknown): boolean {
  const { handle, params, result } = Object(answer);
  return typeof handle === "function" && params instanceof Object && result instanceof Object;
}

/** Hooks of the JSON-RPC area, as their owner holds them. */
export type RpcHooks = ReturnType<typeof createRpcHooks>;
