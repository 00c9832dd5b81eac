import { isIP } from "node:net";
import type { Network } from "@plinth/core";
import { type Enode, formatEnode, InvalidEnode, parseEnode } from "@plinth/core/network";
import type { ListRules } from "./allowlist.js";
import { AllowlistError } from "./allowlist-error.js";
import { refused } from "./allowlist-file.js";

const FIXED = "Cannot remove a fixed node (bootnode or static node) from allowlist";
const LOOPBACK = "127.0.0.1";

const texts = {
  empty: "Request contains an empty list of nodes",
  invalid: "Request contains an invalid node",
  duplicate: "Request contains duplicate nodes",
  existing: "Cannot add an existing node to allowlist",
  absent: "Cannot remove an absent node from allowlist",
};

/** What the rules for nodes need from the network. */
export type NodeNetwork = Pick<Network, "allowsNames" | "names" | "fixedNodes">;

/** Nodes are enode URLs; host names are for networks that allow them. */
export function nodeRules(network: NodeNetwork): ListRules {
  return {
    keys: { name: "nodes-allowlist", old: "nodes-whitelist" },
    texts,
    allowsRepeats: true,
    async canonical(text) {
      try {
        return formatEnode(await readNode(text, network));
      } catch (error) {
        throw error instanceof InvalidEnode ? refused(error.message) : error;
      }
    },
    async verifyRequest(request) {
      if (new Set(request).size < request.length) throw new AllowlistError(texts.duplicate);
      try {
        const nodes = await Promise.all(request.map((text) => readNode(text, network)));
        return [...new Set(nodes.map(formatEnode))];
      } catch (error) {
        if (!(error instanceof InvalidEnode)) throw error;
        throw new AllowlistError(texts.invalid, error);
      }
    },
    verifyRemoval(entries) {
      const { bootnodes, staticNodes } = network.fixedNodes;
      const fixed = new Set([...bootnodes, ...staticNodes].map(addressOf));
      if (entries.some((entry) => fixed.has(addressOf(parseKept(entry))))) {
        throw new AllowlistError(FIXED);
      }
    },
  };
}

/** The identity of a permission: a node at an address, regardless of its discovery port. */
export function addressOf({ id, host, tcpPort }: Enode): string {
  return `${id}@${host}:${tcpPort}`;
}

/** Parses an entry of the list, which may have a host name. */
export function parseKept(entry: string): Enode {
  return parseEnode(entry, { allowsNames: true });
}

/** Parses an enode URL; a host name is resolved to an IP address, unless names are kept. */
async function readNode(text: string, { allowsNames, names }: NodeNetwork): Promise<Enode> {
  const enode = parseEnode(text, { allowsNames });
  if (isIP(enode.host) !== 0 || names === undefined) return enode;
  if (names.areKept) return enode;
  return { ...enode, host: await resolveOrRefuse(text, enode.host, names) };
}

async function resolveOrRefuse(
  text: string,
  host: string,
  names: NonNullable<Network["names"]>,
): Promise<string> {
  try {
    return await names.resolve(host);
  } catch {
    throw new InvalidEnode(
      text,
      "host-name",
      `Invalid IP address '${text}' (or DNS query resolved an invalid IP). --Xdns-enabled is true but --Xdns-update-enabled flag is false.`,
    );
  }
}

/** The current IP address of an entry's host; the last known one if it cannot be resolved. */
export class KeptAddresses {
  readonly #network: NodeNetwork;
  readonly #known = new Map<string, string>();

  constructor(network: NodeNetwork) {
    this.#network = network;
  }

  async find(host: string): Promise<string> {
    if (isIP(host) !== 0) return host;
    try {
      const address = await this.#network.names?.resolve(host);
      if (address !== undefined) this.#known.set(host, address);
    } catch {
      // The last one stays in use.
    }
    return this.#known.get(host) ?? LOOPBACK;
  }
}
