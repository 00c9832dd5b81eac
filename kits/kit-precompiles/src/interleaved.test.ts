import type { Address } from "@plinth/core";
import { runSteps, type Steps } from "@plinth/core/async";
import { describe, expect, it } from "vitest";
import { toBytes } from "./bytes.js";
import { precompilesAt } from "./precompiles-at.js";

const BN254_G2 =
  "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa";

describe("a precompile that takes several steps", () => {
  it.each<[string, number, (seed: number) => Promise<Uint8Array>]>([
    ["modexp in WebAssembly", 0x05, modexp({ modulus: 8, exponent: 10_000 })],
    ["modexp of an even modulus", 0x05, modexp({ modulus: 60, exponent: 5_000, zeros: 3 })],
    ["modexp of 128 bytes", 0x05, modexp({ modulus: 128, exponent: 32 })],
    ["modexp of 20 KB", 0x05, modexp({ modulus: 20_001, exponent: 1 })],
    ["blake2f", 0x09, blake2f],
    ["a pairing on bn254", 0x08, repeat(10, async (seed) => [await bn1(seed), hex(BN254_G2)])],
    ["a pairing on BLS12-381", 0x0f, repeat(10, async (seed) => [await g1(seed), await g2(seed)])],
    ["an msm of G1", 0x0c, repeat(140, async (seed) => [await g1(seed), word(seed)])],
    ["an msm of G2", 0x0e, repeat(40, async (seed) => [await g2(seed), word(seed)])],
  ])("shares no state with another one interleaved: %s", async (_, number, make) => {
    const [one, other] = [await make(3), await make(5)];
    const [first, second] = [await begin(number, one), await begin(number, other)];

    const results = alternate(first, second);

    expect(results[0]).toEqual(runSteps(await begin(number, one)));
    expect(results[1]).toEqual(runSteps(await begin(number, other)));
  });
});

/** Runs both, alternating single steps; both must take more than one. */
function alternate(one: Steps<Uint8Array>, other: Steps<Uint8Array>): unknown[] {
  let steps = [one.next(), other.next()];
  expect(steps.map(({ done }) => done)).toEqual([false, false]);
  while (steps.some(({ done }) => done !== true)) {
    steps = [one, other].map((work, index) =>
      steps[index]?.done === true ? steps[index] : work.next(),
    );
  }
  return steps.map(({ value }) => value);
}

async function begin(number: number, data: Uint8Array): Promise<Steps<Uint8Array>> {
  const address: Address = `0x${number.toString(16).padStart(40, "0")}`;
  const contract = precompilesAt("prague").find((known) => known.address === address);
  const compute = await contract?.load();
  return compute?.(data) ?? expect.fail();
}

function modexp(lengths: { modulus: number; exponent: number; zeros?: number }) {
  return async (seed: number) => {
    const modulus = new Uint8Array(lengths.modulus).fill(0xf0 + seed);
    modulus.fill(0, modulus.length - (lengths.zeros ?? 0));
    const base = new Uint8Array(lengths.modulus).fill(0xc1 + seed);
    const exponent = new Uint8Array(lengths.exponent).fill(seed);
    return concat(
      ...[base, exponent, modulus].map(({ length }) => word(length)),
      ...[base, exponent, modulus],
    );
  };
}

async function blake2f(seed: number): Promise<Uint8Array> {
  return concat(toBytes(250_000n, 4), new Uint8Array(208).fill(seed), Uint8Array.of(1));
}

function repeat(count: number, make: (seed: number) => Promise<Uint8Array[]>) {
  return async (seed: number) => {
    const parts: Uint8Array[] = [];
    for (let index = 0; index < count; index++) parts.push(...(await make(seed + index)));
    return concat(...parts);
  };
}

async function bn1(seed: number): Promise<Uint8Array> {
  return runSteps(await begin(0x07, concat(word(1), word(2), word(seed))));
}

async function g1(seed: number): Promise<Uint8Array> {
  return runSteps(await begin(0x10, toBytes(BigInt(seed), 64)));
}

async function g2(seed: number): Promise<Uint8Array> {
  return runSteps(await begin(0x11, concat(toBytes(BigInt(seed), 64), toBytes(1n, 64))));
}

function word(value: number): Uint8Array {
  return toBytes(BigInt(value), 32);
}

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
