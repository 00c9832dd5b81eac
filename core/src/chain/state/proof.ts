import type { Address, Hash } from "../../primitives/hex.js";
import { keccak256 } from "../../primitives/keccak.js";
import { bytesOf, decodeAccount, decodeSlotValue, type StoredAccount } from "./state-values.js";
import { EMPTY_ROOT, findInTrie, type NodeReader } from "./trie.js";
import { encodeNode } from "./trie-nodes.js";

/** The nodes from a root to a key, as they are stored; they prove against the root what is at the key, or that nothing is. */
export type Proof = readonly Uint8Array[];

/** A storage slot with its proof under the account's storage root. */
export interface SlotProof {
  readonly slot: Hash;
  readonly value: bigint;
  readonly proof: Proof;
}

/** An account, or its absence, with the proof under a state root, and slots of its storage. */
export interface AccountProof {
  /** `undefined` when there is no such account, which the proof shows then. */
  readonly account: StoredAccount | undefined;
  readonly proof: Proof;
  readonly slots: readonly SlotProof[];
}

/** What to prove, and under which root. */
export interface ProofRequest {
  readonly root: Hash;
  readonly address: Address;
  readonly slots: readonly Hash[];
}

/** Proves an account and some of its slots. */
export function proveAccount(
  nodes: NodeReader,
  { root, address, slots }: ProofRequest,
): AccountProof {
  const { value, proof } = prove(nodes, root, address);
  const account = value && decodeAccount(value);
  const storageRoot = account?.storageRoot ?? EMPTY_ROOT;
  return { account, proof, slots: slots.map((slot) => proveSlot(nodes, storageRoot, slot)) };
}

function proveSlot(nodes: NodeReader, root: Hash, slot: Hash): SlotProof {
  const { value, proof } = prove(nodes, root, slot);
  return { slot, value: value === undefined ? 0n : decodeSlotValue(value), proof };
}

/** Reads a key and keeps what was read; short nodes are part of the node above. */
function prove(nodes: NodeReader, root: Hash, identity: Address | Hash) {
  const proof: Uint8Array[] = [];
  const reader: NodeReader = {
    getNode(hash) {
      const node = nodes.getNode(hash);
      proof.push(encodeNode(node));
      return node;
    },
  };
  const value = findInTrie(reader, { root, key: keccak256(bytesOf(identity)) });
  return { value, proof };
}
