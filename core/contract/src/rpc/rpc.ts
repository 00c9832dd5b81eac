import type { Answer } from "./answer.js";
import type { RpcClient } from "./client.js";
import type { Endpoint, EndpointSettings } from "./endpoint.js";
import type { RpcError } from "./errors.js";
import type { AuthorizeEvent } from "./hooks.js";
import type { RegisteredMethod } from "./registered-method.js";

/** The decision of plugins about a call that is not a method. */
export type Authorized =
  | { readonly refusal: RpcError; readonly end?: undefined }
  | { readonly refusal?: undefined; readonly end: (() => void) | undefined };

/** Opens endpoints and lists their methods. */
export interface Rpc {
  /** Opens an endpoint for a listener; throws if the name is taken. */
  endpoint(settings: EndpointSettings): Endpoint;
  /** Removes an endpoint. */
  close(endpoint: Endpoint): void;
  endpoints(): readonly Endpoint[];
  /**
   * Asks plugins about a client before its body is read; returns the response that rejects it, or
   * `undefined`.
   *
   * `answer` does that itself unless the client is marked with `isAdmitted`.
   */
  admit(client: RpcClient): Answer | undefined | Promise<Answer | undefined>;
  /** Handles a body received at an endpoint, synchronously if the handler is. */
  answer(body: string, client: RpcClient): Answer | Promise<Answer>;
  /**
   * Asks plugins and limits about a call that is not a method, such as a GraphQL query; call `end`
   * of the result when it is done.
   */
  authorize(call: Omit<AuthorizeEvent, "endpoint">, cost: number): Promise<Authorized>;
  /** The methods of an endpoint. */
  methods(endpoint: Endpoint): readonly RegisteredMethod[];
}
