import type { Network } from "@plinth/core";
import type { Enode, NodeId } from "@plinth/core/network";
import type { Allowlist, Change } from "./allowlist.js";
import { isNeededBootnode } from "./needed-bootnode.js";
import { KeptAddresses, parseKept } from "./node-rules.js";

/** Decides by a list which nodes this node communicates with. */
export class NodePermissions {
  readonly #list: Allowlist;
  readonly #network: Network;
  readonly #addresses: KeptAddresses;
  /** The entries of the list by node id. */
  readonly #byId = new Map<NodeId, Set<string>>();

  constructor(list: Allowlist, network: Network) {
    this.#list = list;
    this.#network = network;
    this.#addresses = new KeptAddresses(network);
  }

  /** The list has changed: by the given difference, or entirely. */
  changed(change: Change | undefined): void {
    if (change === undefined) this.#byId.clear();
    for (const entry of change?.removed ?? []) this.#byId.get(idOf(entry))?.delete(entry);
    for (const entry of change?.added ?? this.#list.list()) {
      const id = idOf(entry);
      const known = this.#byId.get(id);
      if (known === undefined) this.#byId.set(id, new Set([entry]));
      else known.add(entry);
    }
  }

  /** Whether a node is permitted: it is listed with its address and port, or a needed bootnode. */
  async isPermitted(node: Enode): Promise<boolean> {
    if (node.id === this.#network.localNode?.enode.id) return true;
    return (await this.#isListed(node)) || isNeededBootnode(node, this.#network);
  }

  /** The configured nodes that are not on the list. */
  async findMissing(): Promise<readonly Enode[]> {
    const { bootnodes, staticNodes } = this.#network.fixedNodes;
    const missing: Enode[] = [];
    for (const node of [...bootnodes, ...staticNodes]) {
      const address = { ...node, host: await this.#addresses.find(node.host) };
      if (!(await this.#isListed(address))) missing.push(node);
    }
    return missing;
  }

  async #isListed(node: Enode): Promise<boolean> {
    for (const entry of this.#byId.get(node.id) ?? []) {
      const { host, tcpPort } = parseKept(entry);
      if (tcpPort === node.tcpPort && (await this.#addresses.find(host)) === node.host) return true;
    }
    return false;
  }
}

/** The id in an entry, which starts with `enode://` and 128 digits. */
function idOf(entry: string): NodeId {
  return `0x${entry.slice(8, 136)}`;
}
