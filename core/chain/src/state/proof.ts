import type { Address, Hash } from "@plinth/core";
import { EMPTY_ROOT, keccak256 } from "@plinth/core";
import type { AccountProof, ProofRequest, SlotProof } from "@plinth/core/chain";
import type { StateSource } from "./state-source.js";
import { bytesOf, decodeAccount, decodeSlotValue } from "./state-values.js";
import { findInTrie, type NodeReader } from "./trie.js";
import { encodeNode } from "./trie-nodes.js";

/** Proves an account and some of its slots. */
export function proveAccount(source: StateSource, { address, slots }: ProofRequest): AccountProof {
  using tries = source.openTries();
  const { value, proof } = prove(tries.accounts, source.root, address);
  const account = value && decodeAccount(value);
  const storageRoot = account?.storageRoot ?? EMPTY_ROOT;
  const storage = tries.storageOf(keccak256(bytesOf(address)));
  return { account, proof, slots: slots.map((slot) => proveSlot(storage, storageRoot, slot)) };
}

function proveSlot(nodes: NodeReader, root: Hash, slot: Hash): SlotProof {
  const { value, proof } = prove(nodes, root, slot);
  return { slot, value: value === undefined ? 0n : decodeSlotValue(value), proof };
}

/** Reads a key and records the nodes read; short nodes are embedded in their parent. */
function prove(nodes: NodeReader, root: Hash, identity: Address | Hash) {
  const proof: Uint8Array[] = [];
  const reader: NodeReader = {
    getNode(hash, path) {
      const node = nodes.getNode(hash, path);
      proof.push(encodeNode(node));
      return node;
    },
  };
  const value = findInTrie(reader, { root, key: keccak256(bytesOf(identity)) });
  return { value, proof };
}
