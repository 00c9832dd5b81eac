import { createHash } from "node:crypto";
import { type Address, getCrypto, hexToBytes, PlinthError } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { type Fork, type Precompile, type Precompiles, rulesOf } from "@plinth/core/evm";
import {
  type Compute,
  InvalidInput,
  inOneStep,
  type PrecompiledContract,
  precompilesAt,
} from "@plinth/kit-precompiles";
import { WORD_BYTES, wordOfBytes } from "./arithmetic/words.js";
import type { Halt } from "./interpreter/halt.js";

/** The result of a native contract. */
export interface NativeResult {
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
  readonly halt?: Halt;
}

/** A contract implemented by the node. */
export interface NativeContract {
  /** Loads its implementation; `undefined` if it is ready. */
  load?(): Promise<void> | undefined;
  /** Runs it, in steps of a few milliseconds. */
  run(call: { readonly data: Uint8Array; readonly gas: bigint }): Steps<NativeResult>;
}

export type NativeContracts = ReadonlyMap<Address, NativeContract>;

const EMPTY = new Uint8Array();
/** SEC 2, section 2.4.1: the order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const P256_INPUT_BYTES = 160;
/** Bytes hashed or copied per step: a few milliseconds. */
const PIECE_BYTES = 2 ** 20;

type Basic = Omit<PrecompiledContract, "address">;

/** Those that need only Node.js and a curve, by name. */
const BASIC: Readonly<Record<string, Basic>> = {
  ECREC: ready(() => 3_000n, inOneStep(recoverSender)),
  SHA256: ready(perWord(60n, 12n), digest("sha256")),
  RIPEMD160: ready(perWord(600n, 120n), digest("ripemd160")),
  ID: ready(perWord(15n, 3n), copy),
  P256VERIFY: p256Contract(),
};

/** The contracts of a fork, overridden by those of the chain. */
export function nativeContractsAt(fork: Fork, own: Precompiles = new Map()): NativeContracts {
  const contracts = new Map<Address, NativeContract>();
  for (const contract of precompilesAt(fork)) {
    contracts.set(contract.address, protocolContract(contract));
  }
  for (const [name, { address }] of Object.entries(rulesOf(fork).precompiles)) {
    if (contracts.has(address)) continue;
    const basic = BASIC[name];
    if (basic === undefined)
      throw new Error(`${fork} has the precompile ${name}, which is not implemented`);
    contracts.set(address, protocolContract({ address, ...basic }));
  }
  for (const [address, precompile] of own) contracts.set(address, ownContract(precompile));
  return contracts;
}

/** Contracts for one run, with some of them moved; the original address keeps none. */
export function moveContracts(
  contracts: NativeContracts,
  moves: ReadonlyMap<Address, Address | undefined> | undefined,
): NativeContracts {
  if (moves === undefined || moves.size === 0) return contracts;
  const moved = new Map(contracts);
  for (const from of moves.keys()) moved.delete(from);
  for (const [from, to] of moves) {
    const contract = contracts.get(from);
    if (to !== undefined && contract !== undefined) moved.set(to, contract);
  }
  return moved;
}

function protocolContract(contract: PrecompiledContract): NativeContract {
  let compute: Compute | undefined;
  return {
    load() {
      if (compute !== undefined) return undefined;
      return contract.load().then((loaded) => {
        compute = loaded;
      });
    },
    *run({ data, gas }) {
      const gasUsed = contract.gas(data);
      if (gasUsed > gas) return failed(gas, "INSUFFICIENT_GAS");
      if (compute === undefined)
        throw new Error(`the precompile ${contract.address} is not loaded`);
      try {
        return { gasUsed, output: yield* compute(data) };
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error;
        return failed(gas, "PRECOMPILE_ERROR");
      }
    },
  };
}

function ownContract(precompile: Precompile): NativeContract {
  return {
    // biome-ignore lint/correctness/useYield: a contract of a plugin is one step.
    *run({ data, gas }) {
      try {
        // It may keep and change its input.
        const { gasUsed, returnValue } = precompile({ data: data.slice(), gasLimit: gas });
        if (gasUsed > gas) return failed(gas, "INSUFFICIENT_GAS");
        return { gasUsed, output: returnValue };
      } catch (error) {
        if (error instanceof PlinthError) throw error;
        // By contract: a precompile rejects its input by throwing, on every node alike.
        return failed(gas, "PRECOMPILE_ERROR");
      }
    },
  };
}

function failed(gasUsed: bigint, halt: Halt): NativeResult {
  return { gasUsed, output: EMPTY, halt };
}

function ready(gas: PrecompiledContract["gas"], compute: Compute): Basic {
  return { gas, load: async () => compute };
}

/** EIP-7951. */
function p256Contract(): Basic {
  return {
    gas: () => 6_900n,
    async load() {
      const { p256 } = await import("@noble/curves/nist.js");
      return inOneStep((data) => {
        if (data.length !== P256_INPUT_BYTES) return EMPTY;
        const [hash, signature] = [data.slice(0, 32), data.slice(32, 96)];
        const key = Uint8Array.of(4, ...data.subarray(96));
        const isRight = p256.verify(signature, hash, key, { prehash: false, lowS: false });
        return isRight ? trueWord() : EMPTY;
      });
    },
  };
}

function trueWord(): Uint8Array {
  const word = new Uint8Array(WORD_BYTES);
  word[WORD_BYTES - 1] = 1;
  return word;
}

/** The address that signed a hash; `undefined` if the signature is invalid. */
function recoverSender(data: Uint8Array): Uint8Array {
  const input = new Uint8Array(128);
  input.set(data.subarray(0, 128));
  const v = wordOfBytes(input, 32, 64);
  const [r, s] = [input.subarray(64, 96), input.subarray(96, 128)];
  if ((v !== 27 && v !== 28) || !isScalar(r) || !isScalar(s)) return EMPTY;
  const { recover, addressOf: addressOfKey } = getCrypto();
  try {
    const key = recover(input.subarray(0, 32), { r, s, recovery: v === 27 ? 0 : 1 });
    const word = new Uint8Array(WORD_BYTES);
    word.set(hexToBytes(addressOfKey(key)), 12);
    return word;
  } catch (error) {
    // The curve's error for a signature that belongs to no key.
    if (error instanceof RangeError) return EMPTY;
    throw error;
  }
}

function isScalar(bytes: Uint8Array): boolean {
  const value = BigInt(wordOfBytes(bytes));
  return value > 0n && value < ORDER;
}

function* copy(data: Uint8Array): Steps<Uint8Array> {
  if (data.length <= PIECE_BYTES) return copyAtOnce(data);
  const output = new Uint8Array(data.length);
  for (let start = 0; start < data.length; start += PIECE_BYTES) {
    if (start > 0) yield;
    output.set(data.subarray(start, start + PIECE_BYTES), start);
  }
  return output;
}

/** A buffer of Node.js needs no zeros, and a short one is a part of a larger one: that takes a third of the time of an array. */
function copyAtOnce(data: Uint8Array): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(data);
  return new Uint8Array(buffer, byteOffset, length);
}

function digest(algorithm: "sha256" | "ripemd160"): Compute {
  return function* (data) {
    const running = createHash(algorithm);
    for (let start = 0; start < data.length; start += PIECE_BYTES) {
      if (start > 0) yield;
      running.update(data.subarray(start, start + PIECE_BYTES));
    }
    const hash = running.digest();
    const word = new Uint8Array(WORD_BYTES);
    word.set(hash, WORD_BYTES - hash.length);
    return word;
  };
}

function perWord(base: bigint, word: bigint): PrecompiledContract["gas"] {
  return (data) => base + word * BigInt(Math.ceil(data.length / WORD_BYTES));
}
