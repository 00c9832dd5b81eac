import type { Enode, Network, NodeId } from "@plinth/core";
import type { Allowlist } from "./allowlist.js";
import { isNeededBootnode } from "./needed-bootnode.js";
import { KeptAddresses, parseKept } from "./node-rules.js";

/** Decides whom this node speaks with by a list. */
export class NodePermissions {
  readonly #list: Allowlist;
  readonly #network: Network;
  readonly #addresses: KeptAddresses;
  /** The list by node id; `undefined` when it has changed. */
  #byId: ReadonlyMap<NodeId, readonly Enode[]> | undefined;

  constructor(list: Allowlist, network: Network) {
    this.#list = list;
    this.#network = network;
    this.#addresses = new KeptAddresses(network);
  }

  /** The list has changed. */
  changed(): void {
    this.#byId = undefined;
  }

  /** Whether a node may be spoken with: it is listed with its address and port, or a bootnode that is needed. */
  async isPermitted(node: Enode): Promise<boolean> {
    if (node.id === this.#network.localNode?.enode.id) return true;
    return (await this.#isListed(node)) || isNeededBootnode(node, this.#network);
  }

  /** The configured nodes that the list lacks. */
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
    for (const { host, tcpPort } of this.#entries().get(node.id) ?? []) {
      if (tcpPort === node.tcpPort && (await this.#addresses.find(host)) === node.host) return true;
    }
    return false;
  }

  #entries(): ReadonlyMap<NodeId, readonly Enode[]> {
    if (this.#byId !== undefined) return this.#byId;
    const byId = new Map<NodeId, Enode[]>();
    for (const entry of this.#list.list()) {
      const enode = parseKept(entry);
      const known = byId.get(enode.id);
      if (known === undefined) byId.set(enode.id, [enode]);
      else known.push(enode);
    }
    this.#byId = byId;
    return byId;
  }
}
