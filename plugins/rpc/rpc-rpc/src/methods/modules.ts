import { type Call, method, t } from "@plinth/core";

/** `rpc_modules`: the namespaces of this listener. */
export const modules = method({
  summary: "Lists the namespaces that this listener offers, each with its version.",
  result: t.record(t.text),
  example: { params: [], result: { eth: "1.0", net: "1.0", web3: "1.0" } },
  handle: (_, { client }: Call) =>
    Object.fromEntries(client.endpoint.namespaces.map((namespace) => [namespace, "1.0"])),
});
