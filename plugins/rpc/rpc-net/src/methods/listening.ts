import { method, type Runtime, t } from "@plinth/core";

/** `net_listening`: whether other nodes can connect. */
export const listening = method({
  summary: "Returns whether the node listens for connections from peers.",
  result: t.boolean,
  example: { params: [], result: false },
  handle: (_, { network }: Runtime) => network.localNode?.listening !== undefined,
});
