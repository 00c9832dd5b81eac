import type { Answer } from "./answer.js";
import type { RpcClient } from "./client.js";
import type { Endpoint, EndpointSettings } from "./endpoint.js";
import type { RpcError } from "./errors.js";
import type { AuthorizeEvent } from "./hooks.js";
import type { RegisteredMethod } from "./registered-method.js";

/** What plugins said about a call that is no method. */
export type Authorized =
  | { readonly refusal: RpcError; readonly end?: undefined }
  | { readonly refusal?: undefined; readonly end: (() => void) | undefined };

/** Opens endpoints and lists what they offer. */
export interface Rpc {
  /** Opens an endpoint for a listener; two of one name are refused. */
  endpoint(settings: EndpointSettings): Endpoint;
  /** Takes an endpoint away again. */
  close(endpoint: Endpoint): void;
  endpoints(): readonly Endpoint[];
  /**
   * Asks plugins about a client before its body is read; the answer that refuses it, or `undefined`.
   *
   * `answer` does that itself unless the client is marked with `isAdmitted`.
   */
  admit(client: RpcClient): Answer | undefined | Promise<Answer | undefined>;
  /** Answers a body that came in at an endpoint, at once where the handler does. */
  answer(body: string, client: RpcClient): Answer | Promise<Answer>;
  /**
   * Asks plugins and limits about a call that is no method, such as a GraphQL query; `end` of the answer
   * is to be called when it is done.
   */
  authorize(call: Omit<AuthorizeEvent, "endpoint">, cost: number): Promise<Authorized>;
  /** The methods that an endpoint offers. */
  methods(endpoint: Endpoint): readonly RegisteredMethod[];
}
