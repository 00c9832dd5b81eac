import {
  type Address,
  type Codec,
  DecodeError,
  type Hash,
  method,
  type QueryCall,
  RpcError,
  t,
  toHex,
  toQuantity,
} from "@plinth/core";
import type { AccountProof } from "@plinth/core/chain";
import { getStateHeader, prepareTries, shapes } from "@plinth/kit-rpc";
import { DIFFERENCES } from "../differences.js";
import { position } from "../params.js";

/** Maximum number of slots per call. */
const MAX_SLOTS = 1024;
const TEXT = "Invalid storage keys params";
const EMPTY_CODE_HASH: Hash = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
const EMPTY_ROOT: Hash = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

const positions = t.array(position);
const keys: Codec<readonly Hash[]> = t.withText(
  {
    ...positions,
    decode(json, path = "", reading) {
      const slots = positions.decode(json, path, reading);
      if (slots.length > MAX_SLOTS) throw new DecodeError(path, `at most ${MAX_SLOTS} slots`);
      return slots;
    },
  },
  TEXT,
);

/**
 * `eth_getProof`: proof of an account and slots of its storage under the state root of a block
 * (EIP-1186).
 */
export const getProof = method({
  offload: "short",
  summary: "Proves an account and some slots of its storage under the state root of a block.",
  params: { address: t.address, keys, block: t.optional(t.blockId) },
  result: shapes.proof,
  example: {
    params: ["0x00000000000000000000000000000000000000b0", ["0x0"], "latest"],
    result: {
      address: "0x00000000000000000000000000000000000000b0",
      accountProof: [],
      balance: "0x0",
      codeHash: EMPTY_CODE_HASH,
      nonce: "0x0",
      storageHash: EMPTY_ROOT,
      storageProof: [{ key: "0x0", value: "0x0", proof: [] }],
    },
  },
  async handle({ address, keys, block }, call: QueryCall) {
    const { proofs } = DIFFERENCES[call.compatibility.mode];
    const header = getStateHeader(call, block);
    const slots = proofs.sortsKeys ? [...new Set(keys)].sort() : keys;
    using _tries = await prepareTries(call, header);
    const proof = call.chain.blocks.prove(header, { address, slots });
    if (proof.account === undefined && proofs.refusesAbsentAccounts) {
      throw new RpcError(-32000, "Account not found");
    }
    return describeProof(address, proof, proofs.zeroKey);
  },
});

function describeProof(address: Address, { account, proof, slots }: AccountProof, zeroKey: string) {
  return {
    address,
    accountProof: proof.map(toHex),
    balance: toQuantity(account?.balance ?? 0n),
    codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
    nonce: toQuantity(account?.nonce ?? 0n),
    storageHash: account?.storageRoot ?? EMPTY_ROOT,
    storageProof: slots.map(({ slot, value, proof }) => ({
      key: formatKey(slot, zeroKey),
      value: toQuantity(value),
      proof: proof.map(toHex),
    })),
  };
}

/** Without leading zero bytes. */
function formatKey(slot: Hash, zero: string): string {
  const digits = slot.slice(2).replace(/^(00)+/, "");
  return digits === "" ? zero : `0x${digits}`;
}
