import { isIP, isIPv6 } from "node:net";
import { type Codec, DecodeError, RpcError } from "@plinth/core";

/** Node id, host, port and query; brackets are for IPv6. */
const PARTS = /^enode:\/\/([^@/?#]+)@(\[[^\]@/?#]*\]|[^:@/?#[\]]*)(?::(\d{1,10}))?\/?(?:\?(.*))?$/;
const DISCOVERY_PORT = /^discport=(\d{1,10})$/;
const NODE_ID = /^[0-9a-f]{128}$/i;
const MAX_PORT = 65_535;

/** The URL of a node, still to be checked: what is no list and no object is taken as text. */
export const enodeParam: Codec<string> = {
  decode(json, path = "") {
    if (["string", "number", "boolean"].includes(typeof json)) return String(json);
    throw new DecodeError(path, "the URL of a node", "Invalid enode params");
  },
  encode: (enode) => enode,
  schema: { type: "string", format: "uri" },
};

/** Refuses what is not the URL of a node; of several faults the one that clients know as the first is told. */
export function verifyEnode(text: string): void {
  const [, id, host, port, query] = PARTS.exec(text) ?? [];
  if (id === undefined || host === undefined) throw RpcError.parseError();
  if (!NODE_ID.test(id)) {
    throw new RpcError(
      -32000,
      "Invalid node ID: node ID must have exactly 128 hexadecimal characters and should not include any '0x' hex prefix.",
    );
  }
  if (query !== undefined && !isPort(DISCOVERY_PORT.exec(query)?.[1])) throw RpcError.parseError();
  if (!isAddress(host)) throw new RpcError(-32100, "Enode DNS support is disabled");
  if (!isPort(port)) throw RpcError.parseError();
}

function isAddress(host: string): boolean {
  return host.startsWith("[") ? isIPv6(host.slice(1, -1)) : isIP(host) === 4;
}

function isPort(digits: string | undefined): boolean {
  return digits !== undefined && Number(digits) <= MAX_PORT;
}
