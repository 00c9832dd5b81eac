import type { Body, Header, KeyValueStore } from "@plinth/core";
import { ConfigError, EMPTY_ROOT, type Hash, toHex, withoutPrefix, ZERO_HASH } from "@plinth/core";
import { MAX_UINT64, MAX_UINT256, NO_UNCLES_HASH } from "@plinth/core/blocks";
import { BLOOM_BYTES } from "@plinth/core/primitives";
import type { ForkSchedule } from "@plinth/core/rules";
import { findHexNumber, findLooseNumber } from "@plinth/core/rules";
import { GenesisState } from "./genesis-state.js";

/** SHA-256 of empty input (EIP-7685). */
const NO_REQUESTS: Hash = "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const DEFAULT_BASE_FEE = 1_000_000_000n;
const NONCE_BYTES = 8;

/** Block 0 without its hash, which the engine computes, and its state, which is written. */
export interface GenesisBlock {
  readonly header: Header;
  readonly state: {
    /** Writes the state again, in case it was damaged. */
    rewrite(): Promise<void>;
  };
}

/** Creates block 0 of the JSON of a genesis file, and writes its state. */
export async function buildGenesisBlock(
  json: object,
  { forks, store, origin }: { forks: ForkSchedule; store: KeyValueStore; origin: string },
): Promise<GenesisBlock> {
  const header = readGenesisHeader(json, { forks, origin });
  const state = new GenesisState({ genesis: { json, origin }, store });
  return { header: { ...header, stateRoot: await state.write() }, state };
}

/** Block 0 of a genesis file except for its state root. */
export function readGenesisHeader(
  json: object,
  { forks, origin }: { readonly forks: ForkSchedule; readonly origin: string },
): Omit<Header, "stateRoot"> {
  const fields = new GenesisFields(json, origin);
  const point = {
    number: 0n,
    timestamp: fields.number("timestamp", { usual: 0n, max: MAX_UINT64 }),
  };
  const rules = forks.rulesAt(point);
  const hasBaseFee = rules.hasBaseFee || fields.find("baseFeePerGas") !== undefined;
  return {
    parentHash: fields.hash("parentHash"),
    unclesHash: NO_UNCLES_HASH,
    coinbase: fields.hex("coinbase", 20),
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(BLOOM_BYTES),
    difficulty: fields.hexNumber("difficulty", MAX_UINT256),
    number: point.number,
    gasLimit: fields.number(fields.find("gasLimit") === undefined ? "gasTarget" : "gasLimit", {
      usual: 0n,
      max: MAX_UINT64,
    }),
    gasUsed: 0n,
    timestamp: point.timestamp,
    extraData: fields.bytes("extraData"),
    mixHash: fields.hash("mixHash"),
    nonce: fields.paddedBytes("nonce", NONCE_BYTES),
    ...(hasBaseFee && {
      baseFeePerGas: fields.number("baseFeePerGas", { usual: DEFAULT_BASE_FEE, max: MAX_UINT256 }),
    }),
    ...(rules.hasWithdrawals && { withdrawalsRoot: EMPTY_ROOT }),
    ...(rules.blobs !== undefined && {
      blobGasUsed: fields.hexNumber("blobGasUsed", MAX_UINT64),
      excessBlobGas: fields.hexNumber("excessBlobGas", MAX_UINT64),
    }),
    ...(rules.keepsBeaconRoots && {
      parentBeaconBlockRoot: fields.hash("parentBeaconBlockRoot"),
    }),
    ...(rules.hasRequests && { requestsHash: NO_REQUESTS }),
  };
}

/** Members of a genesis file in any case, parsed strictly. */
class GenesisFields {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #origin: string;

  constructor(json: object, origin: string) {
    const entries = Object.entries(json).map(([key, value]) => [key.toLowerCase(), value] as const);
    this.#values = new Map(entries);
    this.#origin = origin;
  }

  find(name: string): unknown {
    return this.#values.get(name.toLowerCase()) ?? undefined;
  }

  number(name: string, { usual, max }: { readonly usual: bigint; readonly max: bigint }): bigint {
    const value = this.find(name);
    if (value === undefined || value === "" || value === "0x") return usual;
    const number = findLooseNumber(value);
    if (number !== undefined && number <= max) return number;
    throw this.#error(name, value, `a number, decimal or hex, of at most ${max}`);
  }

  /** Zero if it is missing. */
  hexNumber(name: string, max: bigint): bigint {
    const value = this.find(name) ?? "0";
    const number = findHexNumber(value);
    if (number !== undefined && number <= max) return number;
    throw this.#error(name, value, `a number in hex, of at most 0x${max.toString(16)}`);
  }

  hash(name: string): Hash {
    return this.find(name) === undefined ? ZERO_HASH : this.hex(name, 32);
  }

  hex(name: string, bytes: number): Hash {
    return toHex(this.paddedBytes(name, bytes));
  }

  paddedBytes(name: string, bytes: number): Uint8Array {
    const digits = this.#digits(name);
    if (digits.length > bytes * 2)
      throw this.#error(name, this.find(name), `at most ${bytes} bytes of hex`);
    return new Uint8Array(Buffer.from(digits.padStart(bytes * 2, "0"), "hex"));
  }

  bytes(name: string): Uint8Array {
    const digits = this.#digits(name);
    if (digits.length % 2 !== 0)
      throw this.#error(name, this.find(name), "an even number of hex digits");
    return new Uint8Array(Buffer.from(digits, "hex"));
  }

  #digits(name: string): string {
    const found = this.find(name) ?? "";
    const value = typeof found === "number" ? String(found) : found;
    const digits = typeof value === "string" ? withoutPrefix(value) : "?";
    if (!/^[0-9a-f]*$/i.test(digits)) throw this.#error(name, value, "hex");
    return digits;
  }

  #error(name: string, value: unknown, expected: string): ConfigError {
    return new ConfigError("GENESIS_INVALID", {
      message: `Unable to load genesis file. ${this.#origin}: ${name} is ${JSON.stringify(value)}; expected ${expected}`,
      key: name,
    });
  }
}

/** The body of block 0: empty, with an empty list of withdrawals if its header requires one. */
export function genesisBody({ withdrawalsRoot }: Header): Body {
  const body = { transactions: [], uncles: [] };
  return withdrawalsRoot === undefined ? body : { ...body, withdrawals: [] };
}
