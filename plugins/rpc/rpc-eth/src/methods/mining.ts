import { method, type Runtime, t } from "@plinth/core";

/** `eth_mining`: whether this node produces blocks. */
export const mining = method({
  summary: "Returns whether the node produces blocks.",
  result: t.boolean,
  example: { params: [], result: true },
  handle: (_, { production }: Runtime) => production?.isRunning ?? false,
});
