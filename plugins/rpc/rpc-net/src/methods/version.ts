import { method, type Runtime, t } from "@plinth/core";

/** `net_version`: the network id, which may differ from the chain id. */
export const version = method({
  summary: "Returns the network id as a decimal number.",
  result: t.text,
  example: { params: [], result: "1337" },
  handle: (_, { network }: Runtime) => network.id.toString(),
});
