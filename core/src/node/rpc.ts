import { ConfigError } from "../kernel/errors.js";
import type { Answer } from "../rpc/answer.js";
import type { RpcClient } from "../rpc/client.js";
import type { CompatibilityMode } from "../rpc/compatibility.js";
import type { Authorized, Dispatcher } from "../rpc/dispatcher.js";
import { Endpoint, type EndpointSettings } from "../rpc/endpoint.js";
import type { AuthorizeEvent } from "../rpc/hooks.js";
import type { Namespaces, RegisteredMethod } from "../rpc/namespaces.js";

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

/** What the JSON-RPC side of a node is made of. */
export interface RpcParts {
  readonly namespaces: Namespaces;
  readonly dispatcher: Dispatcher;
  readonly mode: CompatibilityMode;
}

/** The JSON-RPC side of a node. */
export function createRpc({ namespaces, dispatcher, mode }: RpcParts): Rpc {
  const open = new Map<string, Endpoint>();
  return {
    endpoint(settings) {
      if (open.has(settings.name)) {
        throw new ConfigError("ENDPOINT_CONFLICT", {
          message: `two listeners are called "${settings.name}"; leave one of them out`,
          endpoint: settings.name,
        });
      }
      const endpoint = new Endpoint(settings);
      open.set(endpoint.name, endpoint);
      return endpoint;
    },
    close: (endpoint) => void open.delete(endpoint.name),
    endpoints: () => [...open.values()],
    admit: (client) => dispatcher.admit(client),
    answer: (body, client) => dispatcher.answer(body, client),
    authorize: (call, cost) => dispatcher.authorize(call, cost),
    methods: (endpoint) =>
      namespaces
        .loaded()
        .filter((entry) => endpoint.offers(entry) && entry.method.absentIn !== mode),
  };
}
