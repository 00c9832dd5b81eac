import { type ConnectEvent, hexToBytes, type Runtime, type SealedHeader } from "@plinth/core";
import type { Enode } from "@plinth/core/network";
import { isNeededBootnode } from "@plinth/plugin-permissioning-local/api";
import { type Argument, encodeCall, leftWord, word } from "./abi.js";
import { addressBytes } from "./address-bytes.js";
import type { RuleContract } from "./rule-contract.js";

/** `connectionAllowed(bytes32,bytes32,bytes16,uint16,bytes32,bytes32,bytes16,uint16)`. */
const BOTH_ENDS = hexToBytes("0x3620b1df");
/** `connectionAllowed(string,string,uint16)`. */
const ONE_NODE = hexToBytes("0x45a59e5b");
const HALF_ID = 32;

/** The interface version of the contract. */
export type ContractVersion = 1 | 2;

/** Decides by a contract which nodes may connect. */
export class NodeContract {
  readonly #contract: RuleContract;
  readonly #version: ContractVersion;
  readonly #runtime: Runtime;

  constructor(contract: RuleContract, version: ContractVersion, runtime: Runtime) {
    this.#contract = contract;
    this.#version = version;
    this.#runtime = runtime;
  }

  /** Whether a node may be connected to, or discovered. */
  async isAllowed(remote: Enode, direction: ConnectEvent["direction"]): Promise<boolean> {
    const { network, sync, chain } = this.#runtime;
    const local = network.localNode?.enode;
    if (local === undefined || remote.id === local.id) return true;
    const { bootnodes, staticNodes } = network.fixedNodes;
    const fixed = [...bootnodes, ...staticNodes];
    const isToFixed = direction === "outbound" && fixed.some(({ id }) => id === remote.id);
    if (sync.isSyncing && fixed.length > 0) return isToFixed;
    // The state of a node without peers is stale: it may have been readmitted since. The other side
    // decides.
    if (isToFixed && network.peers().length === 0) return true;
    if (isNeededBootnode(remote, network)) return true;
    const ends = direction === "outbound" ? ([local, remote] as const) : ([remote, local] as const);
    return this.#ask(ends, chain.blocks.head());
  }

  async #ask([from, to]: readonly [Enode, Enode], head: SealedHeader): Promise<boolean> {
    const questions =
      this.#version === 1
        ? [encodeCall(BOTH_ENDS, [...encodeEnd(from), ...encodeEnd(to)])]
        : [encodeNode(from), encodeNode(to)];
    for (const question of questions) {
      if ((await this.#contract.ask(question, head)) !== "allowed") return false;
    }
    return true;
  }
}

/** Both halves of the id, the address and the port. */
function encodeEnd({ id, host, tcpPort }: Enode): readonly Argument[] {
  const bytes = hexToBytes(id);
  const words = [
    bytes.slice(0, HALF_ID),
    bytes.slice(HALF_ID),
    leftWord(addressBytes(host)),
    word(BigInt(tcpPort)),
  ];
  return words.map((each) => ({ kind: "word", word: each }) as const);
}

function encodeNode({ id, host, tcpPort }: Enode): Uint8Array {
  const texts = [id.slice(2), host];
  return encodeCall(ONE_NODE, [
    ...texts.map((text) => ({ kind: "bytes", bytes: Buffer.from(text) }) as const),
    { kind: "word", word: word(BigInt(tcpPort)) },
  ]);
}
