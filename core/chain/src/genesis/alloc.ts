import { type Address, ConfigError, type Hash, parseHex, withoutPrefix } from "@plinth/core";
import { MAX_UINT64, MAX_UINT256 } from "@plinth/core/blocks";
import { findHexNumber, findMember, findNumber } from "@plinth/core/rules";

/** An account that exists from the beginning. */
export interface GenesisAccount {
  readonly address: Address;
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Uint8Array;
  /** Non-zero slots. */
  readonly storage: ReadonlyMap<Hash, bigint>;
}

/** The accounts of `alloc` by their names, not parsed. */
export function entriesOfAlloc(alloc: unknown, origin: string): readonly [string, unknown][] {
  if (alloc === undefined || alloc === null) return [];
  if (typeof alloc !== "object" || Array.isArray(alloc)) {
    throw allocError(origin, "alloc", "is not an object; expected accounts by address");
  }
  return Object.entries(alloc);
}

/** Parses an account of `alloc`; members unrelated to the state are ignored. */
export function readAccount(key: string, account: unknown, origin: string): GenesisAccount {
  const where = `alloc.${key}`;
  const digits = withoutPrefix(key).toLowerCase();
  if (!/^[0-9a-f]{1,40}$/.test(digits)) {
    throw allocError(origin, where, "is not an address; expected at most 20 bytes of hex");
  }
  if (typeof account !== "object" || account === null) {
    throw allocError(origin, where, "is not an object");
  }
  const find = (name: string) => findMember(account, name);
  return {
    address: `0x${digits.padStart(40, "0")}`,
    nonce: readNonce(find("nonce"), origin, `${where}.nonce`),
    // Files from before Frontier use `wei`.
    balance: readBalance(find("balance") ?? find("wei"), origin, `${where}.balance`),
    code: readCode(find("code"), origin, `${where}.code`),
    storage: readStorage(find("storage"), origin, `${where}.storage`),
  };
}

/** One account of several with one address: later values replace earlier ones, slot by slot. */
export function mergeAccounts(accounts: readonly GenesisAccount[]): GenesisAccount {
  const last = accounts.at(-1) as GenesisAccount;
  if (accounts.length === 1) return last;
  return {
    ...last,
    code: accounts.findLast(({ code }) => code.length > 0)?.code ?? last.code,
    storage: new Map(accounts.flatMap(({ storage }) => [...storage])),
  };
}

function readNonce(value: unknown, origin: string, where: string): bigint {
  const nonce = findHexNumber(value ?? "0");
  if (nonce !== undefined && nonce <= MAX_UINT64) return nonce;
  const expected = "a number in hex, of at most 64 bits";
  throw allocError(origin, where, `is ${JSON.stringify(value)}; expected ${expected}`);
}

function readBalance(value: unknown, origin: string, where: string): bigint {
  const balance = value === "0x" || value === "" ? 0n : findNumber(value ?? 0);
  if (balance !== undefined && balance <= MAX_UINT256) return balance;
  const expected = "a number, decimal or hex, of at most 256 bits";
  throw allocError(origin, where, `is ${JSON.stringify(value)}; expected ${expected}`);
}

function readCode(value: unknown, origin: string, where: string): Uint8Array {
  if (value === undefined || value === null) return new Uint8Array();
  const bytes = typeof value === "string" ? parseHex(value) : undefined;
  if (bytes !== undefined) return bytes;
  throw allocError(origin, where, "is not hex; expected an even number of digits");
}

function readStorage(value: unknown, origin: string, where: string): ReadonlyMap<Hash, bigint> {
  if (value === undefined || value === null) return new Map();
  if (typeof value !== "object" || Array.isArray(value)) {
    throw allocError(origin, where, "is not an object; expected values by slot");
  }
  const slots = Object.entries(value).map(([slot, word]): [Hash, bigint] => {
    const place = `${where}.${slot}`;
    return [toSlot(readWord(slot, origin, place)), readWord(word, origin, place)];
  });
  return new Map(slots.filter(([, word]) => word !== 0n));
}

/** A word of at most 32 bytes, hex with or without `0x`. */
function readWord(value: unknown, origin: string, where: string): bigint {
  const digits = typeof value === "string" ? withoutPrefix(value) : "?";
  if (!/^[0-9a-f]{0,64}$/i.test(digits)) {
    throw allocError(
      origin,
      where,
      `is ${JSON.stringify(value)}; expected at most 32 bytes of hex`,
    );
  }
  return digits === "" ? 0n : BigInt(`0x${digits}`);
}

function toSlot(value: bigint): Hash {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** The error for an invalid account. */
export function allocError(origin: string, where: string, problem: string): ConfigError {
  return new ConfigError("GENESIS_INVALID", {
    message: `Unable to load genesis file. ${origin}: ${where} ${problem}`,
    key: where,
  });
}
