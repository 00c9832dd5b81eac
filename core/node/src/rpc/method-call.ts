import type { AuthorizeEvent, Compatibility, RpcClient } from "@plinth/core";
import type { RegisteredMethod } from "@plinth/core/rpc";
import { GuardedCall } from "./authorization.js";
import { decodeParams } from "./decode-params.js";

/** A method that a caller can call, shared by its calls in one body. */
export interface Callee {
  /** The name of the method as the caller wrote it. */
  readonly name: string;
  readonly entry: RegisteredMethod;
  readonly client: RpcClient;
  /** What the handlers of the plugin receive besides the parameters. */
  readonly argument: object;
  readonly compatibility: Compatibility;
}

interface CallParts {
  /** As received; a thread decodes them again. */
  readonly params: readonly unknown[];
  /** The id of the request as JSON. */
  readonly idText: string;
  /** When it began. */
  readonly since: number;
}

/** A call of a method. Its parameters are decoded once, when they are first needed. */
export class MethodCall implements CallParts {
  readonly params: readonly unknown[];
  readonly idText: string;
  readonly since: number;
  readonly #callee: Callee;
  #decoded: AuthorizeEvent["params"] | undefined;

  constructor(callee: Callee, { params, idText, since }: CallParts) {
    this.params = params;
    this.idText = idText;
    this.since = since;
    this.#callee = callee;
  }

  get name(): string {
    return this.#callee.name;
  }

  get client(): RpcClient {
    return this.#callee.client;
  }

  get entry(): RegisteredMethod {
    return this.#callee.entry;
  }

  /** Runs it on this thread. */
  handle(): unknown {
    const { entry, argument } = this.#callee;
    return entry.method.handle(this.decode() as never, argument);
  }

  /** Throws `RpcError` if the parameters are invalid. */
  decode(): AuthorizeEvent["params"] {
    const { entry, compatibility } = this.#callee;
    this.#decoded ??= decodeParams(entry.method, this.params, compatibility);
    return this.#decoded;
  }

  /** The call as plugins see it. */
  guarded(): GuardedCall {
    const { fullName, namespace, name, method } = this.entry;
    const permission = method.permission ?? `${namespace}:${name}`;
    const decode = () => this.decode();
    return new GuardedCall({ method: fullName, permission, client: this.client, decode });
  }
}
