import { DecodeError, hexToBytes, keccak256, parseHex } from "@plinth/core";

/** A struct type of EIP-712: its members in order. */
type Members = readonly { readonly name: string; readonly type: string }[];

/** Data with its types, as in EIP-712. */
export interface TypedData {
  readonly types: Readonly<Record<string, Members>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

const WORD_BYTES = 32;
const MAX_BITS = 256;
/** Deeper data is a mistake, or an attempt to exhaust the stack. */
const MAX_DEPTH = 64;
/** A list of many empty structs whose type has many members would take hours. */
const MAX_VALUES = 100_000;
/** The possible members of a domain, in the order of EIP-712. */
const DOMAIN_MEMBERS: Members = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

/** The hash that a wallet signs; throws `DecodeError` if the data does not match its types. */
export function hashTypedData({ types, primaryType, domain, message }: TypedData): Uint8Array {
  const known = {
    EIP712Domain: DOMAIN_MEMBERS.filter(({ name }) => Object.hasOwn(domain, name)),
    ...types,
  };
  const hasher = new StructHasher(known);
  return keccak256(
    Buffer.concat([
      Uint8Array.of(0x19, 0x01),
      hasher.hash("EIP712Domain", domain, "domain", 0),
      ...(primaryType === "EIP712Domain" ? [] : [hasher.hash(primaryType, message, "message", 0)]),
    ]),
  );
}

/** Hashes values of a set of types. */
class StructHasher {
  readonly #types: TypedData["types"];
  readonly #typeHashes = new Map<string, Uint8Array>();
  #values = 0;

  constructor(types: TypedData["types"]) {
    this.#types = types;
  }

  hash(type: string, value: unknown, path: string, depth: number): Uint8Array {
    if (typeof value !== "object" || value === null) throw new DecodeError(path, `a ${type}`);
    const words = this.#membersOf(type, path).map((member) =>
      this.#word(member.type, Reflect.get(value, member.name), `${path}.${member.name}`, depth),
    );
    return keccak256(Buffer.concat([this.#typeHash(type, path), ...words]));
  }

  #typeHash(type: string, path: string): Uint8Array {
    const known = this.#typeHashes.get(type);
    if (known !== undefined) return known;
    const hash = keccak256(Buffer.from(this.#describe(type, path)));
    this.#typeHashes.set(type, hash);
    return hash;
  }

  /** Counts values, and the types in the description of a type. */
  #count(more: number, path: string): void {
    this.#values += more;
    if (this.#values > MAX_VALUES) throw new DecodeError(path, `at most ${MAX_VALUES} values`);
  }

  #membersOf(type: string, path: string): Members {
    const members = Object.hasOwn(this.#types, type) ? this.#types[type] : undefined;
    if (members !== undefined) return members;
    throw new DecodeError(path, `a declared type, not ${type}`);
  }

  /**
   * `Mail(Person from,Person to)Person(string name)`: the type, followed by the types it
   * references, by name.
   */
  #describe(type: string, path: string): string {
    const used = new Set([type]);
    // A set also iterates over items added on the way.
    for (const name of used) {
      for (const member of this.#types[name] ?? []) {
        const base = baseOf(member.type);
        if (Object.hasOwn(this.#types, base)) used.add(base);
      }
    }
    this.#count(used.size, path);
    used.delete(type);
    return [type, ...[...used].sort()]
      .map((name) => `${name}(${(this.#types[name] ?? []).map((m) => `${m.type} ${m.name}`)})`)
      .join("");
  }

  #word(type: string, value: unknown, path: string, depth: number): Uint8Array {
    this.#count(1, path);
    if (depth > MAX_DEPTH) throw new DecodeError(path, `at most ${MAX_DEPTH} levels`);
    const array = /^(.*)\[(\d*)\]$/s.exec(type);
    if (array !== null) {
      const [, item = "", length = ""] = array;
      if (!Array.isArray(value) || (length !== "" && value.length !== Number(length))) {
        throw new DecodeError(path, `a list for ${type}`);
      }
      const words = value.map((each, index) =>
        this.#word(item, each, `${path}[${index}]`, depth + 1),
      );
      return keccak256(Buffer.concat(words));
    }
    if (Object.hasOwn(this.#types, type)) {
      // A missing struct counts as zero (EIP-712 v4).
      return value === null || value === undefined
        ? new Uint8Array(WORD_BYTES)
        : this.hash(type, value, path, depth + 1);
    }
    return encodeAtomic(type, value, path);
  }
}

/** `Person` of `Person[2][]`. */
function baseOf(type: string): string {
  const bracket = type.indexOf("[");
  return bracket < 0 ? type : type.slice(0, bracket);
}

function encodeAtomic(type: string, value: unknown, path: string): Uint8Array {
  if (type === "string") {
    if (typeof value === "string") return keccak256(Buffer.from(value));
  } else if (type === "bytes") {
    const bytes = typeof value === "string" ? parseHex(value) : undefined;
    if (bytes !== undefined) return keccak256(bytes);
  } else if (type === "bool") {
    if (typeof value === "boolean" || value === "true" || value === "false") {
      return numberWord(value === true || value === "true" ? 1n : 0n);
    }
  } else if (type === "address") {
    if (typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value)) {
      return numberWord(BigInt(value));
    }
  } else return encodeSized(type, value, path);
  throw new DecodeError(path, `a value of type ${type}`);
}

/** `bytes4`, `uint256`, `int8` and so on. */
function encodeSized(type: string, value: unknown, path: string): Uint8Array {
  const [, kind = "", size = ""] = /^(bytes|uint|int)(\d{0,3})$/.exec(type) ?? [];
  if (kind === "bytes" && Number(size) <= WORD_BYTES) {
    const bytes = typeof value === "string" ? parseHex(value) : undefined;
    if (bytes?.length === Number(size))
      return Buffer.concat([bytes, Buffer.alloc(WORD_BYTES)]).subarray(0, WORD_BYTES);
  }
  const bits = BigInt(size === "" ? MAX_BITS : size);
  if ((kind === "uint" || kind === "int") && bits > 0n && bits <= MAX_BITS) {
    const number = findInteger(value);
    const [least, most] =
      kind === "uint" ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
    if (number !== undefined && number >= least && number <= most) {
      return numberWord(BigInt.asUintN(256, number));
    }
  }
  throw new DecodeError(path, `a value of type ${type}`);
}

function findInteger(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  const isNumber = typeof value === "string" && /^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i.test(value);
  return isNumber ? BigInt(value) : undefined;
}

function numberWord(value: bigint): Uint8Array {
  return hexToBytes(`0x${value.toString(16).padStart(WORD_BYTES * 2, "0")}`);
}
