import { type Call, method, t } from "@plinth/core";
import { coreVersion } from "@plinth/core/kernel";
import { describeMethods } from "../open-rpc.js";

/** `rpc_discover`: the OpenRPC document of this listener. */
export const discover = method({
  summary: "Describes the methods that this listener offers, as an OpenRPC document.",
  alias: "rpc.discover",
  result: t.json,
  example: { params: [], result: { openrpc: "1.2.6", methods: [] } },
  handle: (_, { rpc, client }: Call) =>
    describeMethods(rpc.methods(client.endpoint), {
      title: "Plinth JSON-RPC",
      version: coreVersion(),
    }),
});
