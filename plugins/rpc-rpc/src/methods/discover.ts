import { type Call, method, t } from "@plinth/core";

/** `rpc_discover`: the OpenRPC document of this listener. */
export const discover = method({
  summary: "Describes the methods that this listener offers, as an OpenRPC document.",
  result: t.json,
  handle: (_, { rpc, client }: Call) => rpc.describe(client.endpoint),
});
