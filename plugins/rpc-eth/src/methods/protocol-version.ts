import { method, t } from "@plinth/core";

/** `eth_protocolVersion`: null, since a node without peers speaks no version of the protocol. */
export const protocolVersion = method({
  summary: "Returns the highest version of the eth protocol that the node speaks.",
  result: t.optional(t.quantity),
  example: { params: [], result: null },
  handle: () => undefined,
});
