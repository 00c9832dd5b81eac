import { type Address, type Hash, hexToBytes } from "@plinth/core";
import {
  type Account,
  type BlockContext,
  FORKS,
  type Fork,
  type WorldState,
} from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";

/** The fee recipient. */
export const MINER: Address = "0x00000000000000000000000000000000000000aa";

/** A block of London, or of the given fork. */
export function aBlock(fields: Partial<BlockContext> = {}): BlockContext {
  const fork: Fork = fields.fork ?? "london";
  const hasBaseFee = FORKS.indexOf(fork) >= FORKS.indexOf("london");
  const hasBlobs = FORKS.indexOf(fork) >= FORKS.indexOf("cancun");
  return {
    fork,
    number: 2n,
    timestamp: 100n,
    gasLimit: 30_000_000n,
    difficulty: 1n,
    mixHash: slot(0x77),
    feeRecipient: MINER,
    ...(hasBaseFee ? { baseFeePerGas: 0n } : {}),
    ...(hasBlobs ? { excessBlobGas: 0n } : {}),
    hashOf: (number) => slot(Number(number) * 0x1111),
    ...fields,
  };
}

/** A small number as a hash. */
export function slot(index: number): Hash {
  return `0x${index.toString(16).padStart(64, "0")}`;
}

/** A small separate state: whole copies at checkpoints, no roots. */
export function aState(
  balances: Record<Address, bigint>,
  codes: Record<Address, string> = {},
): WorldState {
  let accounts = new Map<Address, { nonce: bigint; balance: bigint; code: Uint8Array }>();
  let storage = new Map<string, bigint>();
  const copies: { accounts: typeof accounts; storage: typeof storage }[] = [];
  const get = (address: Address) =>
    accounts.get(address) ?? { nonce: 0n, balance: 0n, code: new Uint8Array() };
  const state: WorldState = {
    findAccount(address): Account | undefined {
      const found = accounts.get(address);
      if (found === undefined) return undefined;
      return { ...found, codeHash: keccakHash(found.code) };
    },
    getCode: (address) => get(address).code,
    getStorage: (address, key) => storage.get(address + key) ?? 0n,
    hasStorage: (address) => [...storage.keys()].some((key) => key.startsWith(address)),
    setAccount: (address, change) => void accounts.set(address, { ...get(address), ...change }),
    setCode: (address, code) => void accounts.set(address, { ...get(address), code }),
    setStorage: (address, key, value) => void storage.set(address + key, value),
    clearStorage(address) {
      for (const key of storage.keys()) if (key.startsWith(address)) storage.delete(key);
    },
    deleteAccount: (address) => void accounts.delete(address),
    checkpoint: () => void copies.push({ accounts: new Map(accounts), storage: new Map(storage) }),
    commit: () => void copies.pop(),
    revert() {
      const copy = copies.pop();
      if (copy === undefined) throw new Error("nothing to take back");
      ({ accounts, storage } = copy);
    },
  };
  for (const [address, balance] of Object.entries(balances))
    state.setAccount(address as Address, { balance });
  for (const [address, code] of Object.entries(codes)) {
    state.setCode(address as Address, hexToBytes(code));
  }
  return state;
}
