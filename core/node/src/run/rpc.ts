import type { CompatibilityMode } from "@plinth/core";
import { ConfigError } from "@plinth/core";
import type { Rpc } from "@plinth/core/rpc";
import { Endpoint } from "@plinth/core/rpc";
import type { Dispatcher } from "../rpc/dispatcher.js";
import type { Namespaces } from "../rpc/namespaces.js";

/** The dependencies of a node's JSON-RPC. */
export interface RpcParts {
  readonly namespaces: Namespaces;
  readonly dispatcher: Dispatcher;
  readonly mode: CompatibilityMode;
}

/** The JSON-RPC of a node. */
export function createRpc({ namespaces, dispatcher, mode }: RpcParts): Rpc {
  const open = new Map<string, Endpoint>();
  return {
    endpoint(settings) {
      if (open.has(settings.name)) {
        throw new ConfigError("ENDPOINT_CONFLICT", {
          message: `two listeners are called "${settings.name}"; remove one of them`,
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
