import { method, type Network, type Runtime, t } from "@plinth/core";

/** Names that clients expect for the listeners with an address. */
const NAMES: Readonly<Record<string, string>> = {
  "json-rpc": "jsonrpc",
  "ws-rpc": "ws",
  "graphql-http": "graphQL",
};

/** `net_services`: the running listeners, with their actual ports. */
export const services = method({
  summary: "Lists the running services with their addresses.",
  result: t.record(t.object({ host: t.text, port: t.text })),
  example: { params: [], result: { jsonrpc: { host: "127.0.0.1", port: "8545" } } },
  handle: (_, { rpc, network }: Runtime) =>
    Object.fromEntries([
      ...p2pServices(network),
      ...rpc.endpoints().flatMap(({ name, address }) => {
        if (address === undefined) return [];
        const { host, port } = address;
        return [[NAMES[name] ?? name, { host, port: String(port) }]];
      }),
    ]),
});

function p2pServices({ localNode }: Network): readonly [string, { host: string; port: string }][] {
  if (localNode?.listening === undefined) return [];
  const { host } = localNode.enode;
  return [["p2p", { host, port: String(localNode.listening.port) }]];
}
