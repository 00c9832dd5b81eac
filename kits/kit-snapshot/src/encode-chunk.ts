import { encodeRlp, hexToBytes, type Rlp } from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import type { ChunkAccount, ChunkSlot } from "./state-chunk.js";

/** The content of a chunk, and the nodes that prove it. */
export interface UnencodedChunk {
  readonly accounts: readonly ChunkAccount[];
  /** The edges of the accounts in the account trie. */
  readonly proof: readonly Uint8Array[];
  /** The edges of the slots in the storage trie, if they are a part of the storage of one account. */
  readonly storageProof?: readonly Uint8Array[];
}

/**
 * Encodes a chunk: accounts and proof; for a part of a storage also its root and its proof.
 *
 * An account is its address or key, nonce, balance, code hash and slots. Roots of whole storages
 * are omitted: they follow from the slots.
 */
export function encodeChunk({ accounts, proof, storageProof }: UnencodedChunk): Uint8Array {
  const items: Rlp[] = [accounts.map(accountToRlp), proof];
  const [first] = accounts;
  if (storageProof !== undefined && first !== undefined) {
    items.push(hexToBytes(first.account.storageRoot), storageProof);
  }
  return encodeRlp(items);
}

function accountToRlp({ key, address, account, slots }: ChunkAccount): Rlp {
  const { nonce, balance, codeHash } = account;
  return [
    address === undefined ? key : hexToBytes(address),
    scalarBytes(nonce),
    scalarBytes(balance),
    codeHash === EMPTY_CODE_HASH ? new Uint8Array() : hexToBytes(codeHash),
    slots.map(slotToRlp),
  ];
}

/** The number of a slot without leading zeros; a key follows a zero, which no number starts with. */
function slotToRlp({ key, slot, value }: ChunkSlot): Rlp {
  return [
    slot === undefined ? Buffer.concat([Uint8Array.of(0), key]) : scalarBytes(BigInt(slot)),
    scalarBytes(value),
  ];
}
