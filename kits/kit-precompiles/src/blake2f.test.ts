import { createHash } from "node:crypto";
import { runSteps } from "@plinth/core/async";
import { describe, expect, it } from "vitest";
import { blake2fGas, loadBlake2f } from "./blake2f.js";
import { InvalidInput } from "./precompile.js";

const compute = loadBlake2f();
const MAX_ROUNDS = 0xffff_ffff;

describe("blake2f", () => {
  it("compresses the last block of a hash (EIP-152)", () => {
    const hash = createHash("blake2b512").update("abc").digest();

    expect(Buffer.from(runSteps(compute(anInput({ rounds: 12 }))))).toEqual(hash);
  });

  it.each([
    [
      0,
      "08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b",
    ],
    [
      1,
      "b63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fba551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421",
    ],
  ])("applies %i rounds (EIP-152)", (rounds, expected) => {
    expect(Buffer.from(runSteps(compute(anInput({ rounds })))).toString("hex")).toBe(expected);
  });

  it("has the same result if others compute between its steps", () => {
    let calls = 0;

    const result = runSteps(compute(anInput({ rounds: 200_007 })), () => {
      calls += 1;
      runSteps(compute(anInput({ rounds: 12 })));
    });

    expect(calls).toBe(2);
    expect(Buffer.from(result)).toEqual(Buffer.from(slowBlake2f(200_007)));
  });

  it("runs in steps that can be abandoned at any time", () => {
    const steps = compute(anInput({ rounds: MAX_ROUNDS }));

    expect(steps.next().done).toBe(false);
  });

  it.each([
    ["212 bytes", anInput({ rounds: 1 }).subarray(1)],
    ["214 bytes", Uint8Array.from([...anInput({ rounds: 1 }), 0])],
    ["no bytes", new Uint8Array()],
    ["a flag of 2", anInput({ rounds: 1, flag: 2 })],
  ])("rejects %s", (_, data) => {
    expect(() => runSteps(compute(data))).toThrow(InvalidInput);
  });

  it("costs one gas per round", () => {
    expect(blake2fGas(anInput({ rounds: MAX_ROUNDS }))).toBe(BigInt(MAX_ROUNDS));
  });
});

/** The state, message and offset of the hash of "abc". */
function anInput({ rounds, flag = 1 }: { rounds: number; flag?: number }): Uint8Array {
  const data = Buffer.alloc(213);
  data.writeUInt32BE(rounds);
  data.write(
    "48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b",
    4,
    "hex",
  );
  data.write("abc", 68);
  data[196] = 3;
  data[212] = flag;
  return Uint8Array.from(data);
}

/** RFC 7693 with BigInt. */
function slowBlake2f(rounds: number): Uint8Array {
  const data = Buffer.from(anInput({ rounds }));
  const words = (start: number, count: number) =>
    Array.from({ length: count }, (_, index) => data.readBigUInt64LE(start + 8 * index));
  const [state, message] = [words(4, 8), words(68, 16)];
  const v = [...state, ...IV];
  v[12] = at(v, 12) ^ data.readBigUInt64LE(196);
  v[14] = at(v, 14) ^ MASK;
  for (let round = 0; round < rounds; round++) {
    const sigma = SIGMA[round % 10] ?? "";
    MIXED.forEach(([a, b, c, d], index) => {
      const [x, y] = [0, 1].map((half) =>
        at(message, Number.parseInt(sigma[2 * index + half] ?? "", 16)),
      );
      mix(v, [a, b, c, d], [x ?? 0n, y ?? 0n]);
    });
  }
  return new Uint8Array(
    BigUint64Array.from(state.map((word, index) => word ^ at(v, index) ^ at(v, index + 8))).buffer,
  );
}

const MASK = 2n ** 64n - 1n;
const IV = [
  "6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1",
  "510e527fade682d19b05688c2b3e6c1f1f83d9abfb41bd6b5be0cd19137e2179",
].flatMap((hex) => (hex.match(/.{16}/g) ?? []).map((word) => BigInt(`0x${word}`)));
const SIGMA = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
];
const MIXED = ["048c", "159d", "26ae", "37bf", "05af", "16bc", "278d", "349e"].map(
  (quarter) => [...quarter].map((digit) => Number.parseInt(digit, 16)) as Quarter,
);
type Quarter = [number, number, number, number];

function mix(v: bigint[], [a, b, c, d]: Quarter, [x, y]: [bigint, bigint]): void {
  for (const [word, first, second] of [
    [x, 32n, 24n],
    [y, 16n, 63n],
  ] as const) {
    v[a] = (at(v, a) + at(v, b) + word) & MASK;
    v[d] = rotate(at(v, d) ^ at(v, a), first);
    v[c] = (at(v, c) + at(v, d)) & MASK;
    v[b] = rotate(at(v, b) ^ at(v, c), second);
  }
}

function rotate(word: bigint, bits: bigint): bigint {
  return ((word >> bits) | (word << (64n - bits))) & MASK;
}

function at(words: readonly bigint[], index: number): bigint {
  return words[index] ?? 0n;
}
