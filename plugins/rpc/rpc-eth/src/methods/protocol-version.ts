import { type Call, method, t } from "@plinth/core";

/** `eth_protocolVersion`: null for a node that does not run the protocol. */
export const protocolVersion = method({
  summary: "Returns the highest version of the eth protocol that the node supports.",
  result: t.optional(t.quantity),
  example: { params: [], result: "0x45" },
  handle(_params, { network }: Call) {
    const versions = network.protocols.filter(({ name }) => name === "eth");
    return versions.length === 0
      ? undefined
      : BigInt(Math.max(...versions.map(({ version }) => version)));
  },
});
