import type { AuthorizeEvent, Compatibility, RpcClient } from "@plinth/core";
import type { RegisteredMethod } from "@plinth/core/rpc";
import { GuardedCall } from "./authorization.js";
import { decodeParams } from "./decode-params.js";

interface CallParts {
  readonly entry: RegisteredMethod;
  /** As received; a thread decodes them again. */
  readonly params: readonly unknown[];
  readonly client: RpcClient;
  readonly compatibility: Compatibility;
}

/** A call of a method. Its parameters are decoded once, when they are first needed. */
export class MethodCall {
  readonly entry: RegisteredMethod;
  readonly params: readonly unknown[];
  readonly client: RpcClient;
  readonly #compatibility: Compatibility;
  readonly #argument: object;
  #decoded: AuthorizeEvent["params"] | undefined;

  /** `argument` is what the handlers of the plugin receive besides the parameters. */
  constructor({ entry, params, client, compatibility }: CallParts, argument: object) {
    this.entry = entry;
    this.params = params;
    this.client = client;
    this.#compatibility = compatibility;
    this.#argument = argument;
  }

  /** Runs it on this thread. */
  handle(): unknown {
    return this.entry.method.handle(this.decode() as never, this.#argument);
  }

  /** Throws `RpcError` if the parameters are invalid. */
  decode(): AuthorizeEvent["params"] {
    this.#decoded ??= decodeParams(this.entry.method, this.params, this.#compatibility);
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
