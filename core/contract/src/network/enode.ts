import { isIP, isIPv6 } from "node:net";
import { PlinthError } from "../kernel/errors.js";
import type { NodeId } from "./node-id.js";

/** The identity, host and ports of a node. */
export interface Enode {
  readonly id: NodeId;
  /** An IP address without brackets, or a DNS name if those are allowed. */
  readonly host: string;
  /** The RLPx port; 0 if the node does not listen. */
  readonly tcpPort: number;
  /** The discovery port; 0 if discovery is off. */
  readonly udpPort: number;
}

/** The invalid part of an enode URL. */
export type EnodeProblem = "syntax" | "node-id" | "discovery-port" | "host-name" | "port";

/** A text that is not an enode URL; `problem` names the invalid part. */
export class InvalidEnode extends PlinthError {
  readonly problem: EnodeProblem;

  constructor(text: string, problem: EnodeProblem, reason: string) {
    super("ENODE_INVALID", {
      message: `Invalid enode URL syntax '${text}'. Enode URL should have the following format 'enode://<node_id>@<ip>:<listening_port>[?discport=<discovery_port>]'. ${reason}`,
      problem,
      reason,
    });
    this.problem = problem;
  }
}

/** Whether enode URLs may have a DNS name instead of an IP address. */
export interface EnodeRules {
  readonly allowsNames?: boolean;
}

/** Maximum length of a URL: 128 digits, a DNS name of 253 characters and two ports fit. */
const MAX_LENGTH = 512;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
/** Node id, host, port and query; brackets are for IPv6. */
const PARTS = /^([^@/?#]*)@(\[[^\]@/?#]*\]|[^:@/?#[\]]*)(?::(\d{1,10}))?\/?(?:\?(.*))?$/;
const NODE_ID = /^[0-9a-f]{128}$/i;
const DISCOVERY_PORT = /^discport=(\d{1,5})$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62}\.)*[a-z0-9_-]{0,62}[a-z0-9]\.?$/i;
const MAX_PORT = 65_535;

/**
 * Parses an enode URL; throws `InvalidEnode` if it is not one.
 *
 * Of several faults the first one in the order id, discovery port, host, port is reported, as Besu
 * does.
 */
export function parseEnode(text: string, { allowsNames = false }: EnodeRules = {}): Enode {
  const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  const fail = (problem: EnodeProblem, reason: string) => new InvalidEnode(shown, problem, reason);
  if (text.trim() === "") throw fail("syntax", "Invalid empty value.");
  const scheme = SCHEME.exec(text);
  if (scheme === null) throw fail("syntax", "Missing 'enode' scheme.");
  if (scheme[1]?.toLowerCase() !== "enode") {
    throw fail("syntax", 'Invalid URI scheme (must equal "enode").');
  }
  const rest = text.length > MAX_LENGTH ? "" : text.slice(scheme[0].length);
  const [, id, host, port, query] = PARTS.exec(rest) ?? [];
  if (id === undefined || host === undefined) {
    const hasId = rest.includes("@");
    throw fail("syntax", hasId ? "Missing or invalid host or ip address." : "Missing node ID.");
  }
  if (id === "") throw fail("syntax", "Missing node ID.");
  if (!NODE_ID.test(id)) {
    throw fail(
      "node-id",
      "Invalid node ID: node ID must have exactly 128 hexadecimal characters and should not include any '0x' hex prefix.",
    );
  }
  const discovery = query === undefined ? undefined : findPort(DISCOVERY_PORT.exec(query)?.[1]);
  if (query !== undefined && discovery === undefined) {
    throw fail("discovery-port", `Invalid discovery port: '${query}'.`);
  }
  if (host === "") throw fail("syntax", "Missing or invalid host or ip address.");
  if (!isAddress(host) && !(allowsNames && DNS_NAME.test(host))) {
    throw fail("host-name", "Invalid ip address.");
  }
  const tcpPort = findPort(port);
  if (tcpPort === undefined) {
    throw fail("port", `Invalid port: '${port ?? ""}'; a port from 0 to ${MAX_PORT} is required.`);
  }
  return {
    id: `0x${id.toLowerCase()}`,
    host: host.startsWith("[") ? canonicalAddress(host) : host,
    tcpPort,
    udpPort: discovery ?? tcpPort,
  };
}

/** Formats an enode URL; the discovery port is included only if it differs. */
export function formatEnode({ id, host, tcpPort, udpPort }: Enode): string {
  const shown = isIPv6(host) ? `[${host}]` : host;
  const query = udpPort === tcpPort ? "" : `?discport=${udpPort}`;
  return `enode://${id.slice(2)}@${shown}:${tcpPort}${query}`;
}

/** Whether two enodes are the same node at the same address with the same ports. */
export function isSameEnode(one: Enode, other: Enode): boolean {
  return (
    one.id === other.id &&
    one.host === other.host &&
    one.tcpPort === other.tcpPort &&
    one.udpPort === other.udpPort
  );
}

/** An address with a zone, which is local to this machine, is not valid. */
function isAddress(host: string): boolean {
  if (!host.startsWith("[")) return isIP(host) === 4;
  return isIPv6(host.slice(1, -1)) && !host.includes("%");
}

/** The canonical form of an address, as sockets report it; an IPv4-mapped address becomes IPv4. */
function canonicalAddress(bracketed: string): string {
  const address = new URL(`http://${bracketed}`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = Buffer.from(high.padStart(4, "0") + low.padStart(4, "0"), "hex");
  return bytes.join(".");
}

function findPort(digits: string | undefined): number | undefined {
  const port = digits === undefined ? undefined : Number(digits);
  return port !== undefined && port <= MAX_PORT ? port : undefined;
}
