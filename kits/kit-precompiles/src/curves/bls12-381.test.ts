import { bls12_381 } from "@noble/curves/bls12-381.js";
import { runSteps } from "@plinth/core/async";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { toBytes } from "../bytes.js";
import { InvalidInput } from "../precompile.js";
import { type Bls12381, loadBls12381 } from "./bls12-381.js";

const { G1, G2, fields } = bls12_381;
const P = fields.Fp.ORDER;
const R = fields.Fr.ORDER;
const RUNS = Number(process.env.PLINTH_PRECOMPILE_RUNS ?? 10);
const SLOW_MS = 60_000 + 200 * RUNS;
const ONE = toBytes(1n, 32);
const ZERO = new Uint8Array(32);
/** On the curve, of order three: not in the subgroup. */
const THREE = G1.Point.fromAffine({ x: 0n, y: 2n });

type Point1 = typeof G1.Point.BASE;
type Point2 = typeof G2.Point.BASE;

let curve: Bls12381;
beforeAll(async () => {
  curve = await loadBls12381();
});

const element = fc.bigInt({ min: 0n, max: P - 1n });
const scalar = fc.oneof(
  fc.bigInt({ min: 0n, max: R - 1n }),
  fc.constantFrom(0n, 1n, 2n, R - 1n, R - 2n),
);
const g1 = scalar.map((value) => G1.Point.BASE.multiplyUnsafe(value));
const g2 = scalar.map((value) => G2.Point.BASE.multiplyUnsafe(value));
const factor = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, R, R + 1n, 2n ** 256n - 1n),
);

describe("addition on BLS12-381", () => {
  it("agrees with noble, also outside the subgroup", () => {
    const any1 = fc.oneof(g1, element.map(findG1).filter(isFound), fc.constant(THREE));
    const any2 = fc.oneof(g2, fc.tuple(element, element).map(findG2).filter(isFound));
    fc.assert(
      fc.property(any1, any1, any2, any2, (p, q, s, t) => {
        expect(add1(encode1(p), encode1(q))).toEqual(encode1(p.add(q)));
        expect(add2(encode2(s), encode2(t))).toEqual(encode2(s.add(t)));
      }),
      { numRuns: RUNS },
    );
  });

  it("adds a point to itself, to its negative and to infinity", () => {
    for (const point of [G1.Point.BASE, THREE]) {
      const bytes = encode1(point);
      expect(add1(bytes, bytes)).toEqual(encode1(point.double()));
      expect(add1(bytes, encode1(point.negate()))).toEqual(new Uint8Array(128));
      expect(add1(new Uint8Array(128), bytes)).toEqual(bytes);
    }
    expect(add2(new Uint8Array(256), new Uint8Array(256))).toEqual(new Uint8Array(256));
  });

  it.each([
    ["a point off the curve", [1n, 1n]],
    ["x equal to the field order", [P, 2n]],
    ["y that is not canonical", [0n, P + 2n]],
    ["padding that is not zero", [2n ** 384n, 2n]],
  ])("rejects %s", (_, coordinates) => {
    const [x = 0n, y = 0n] = coordinates;

    expect(() => add1(toBytes(x, 64), toBytes(y, 64), encode1(THREE))).toThrow(InvalidInput);
  });

  it.each([0, 255, 257])("rejects an input of %i bytes", (length) => {
    expect(() => add1(new Uint8Array(length))).toThrow(InvalidInput);
    expect(() => add2(new Uint8Array(length))).toThrow(InvalidInput);
  });

  const add1 = (...parts: Uint8Array[]) => runSteps(curve.g1Add(concat(...parts)));
  const add2 = (...parts: Uint8Array[]) => runSteps(curve.g2Add(concat(...parts)));
});

describe("multi-scalar multiplication on BLS12-381", () => {
  it(
    "agrees with noble for any number of pairs",
    () => {
      const pairs1 = fc.array(fc.tuple(g1, factor), { minLength: 1, maxLength: 20 });
      const pairs2 = fc.array(fc.tuple(g2, factor), { minLength: 1, maxLength: 8 });
      fc.assert(
        fc.property(pairs1, pairs2, (one, two) => {
          expect(msm1(one)).toEqual(encode1(sum(one, G1.Point.ZERO)));
          expect(msm2(two)).toEqual(encode2(sum(two, G2.Point.ZERO)));
        }),
        { numRuns: RUNS },
      );
    },
    SLOW_MS,
  );

  it("sums more pairs than are computed at once, equal and opposite ones among them", () => {
    const values = Array.from({ length: 300 }, (_, index) => BigInt(index % 7) - 3n + R);
    const total = values.reduce((one, other) => one + other, 0n) % R;

    expect(msm1(values.map((value) => [G1.Point.BASE, value]))).toEqual(
      encode1(G1.Point.BASE.multiplyUnsafe(total)),
    );
    expect(msm2(values.map((value) => [G2.Point.BASE, value]))).toEqual(
      encode2(G2.Point.BASE.multiplyUnsafe(total)),
    );
  });

  it("accepts points of the subgroup only, whatever they are multiplied by", () => {
    expect(() => msm1([[THREE, 3n]])).toThrow(InvalidInput);
    expect(() => msm1([[THREE, 0n]])).toThrow(InvalidInput);
    fc.assert(
      fc.property(fc.tuple(element, element), ([a, b]) => {
        const [one, two] = [findG1(a), findG2([a, b])];
        if (isFound(one)) expect(() => msm1([[one, 1n]])).toThrow(InvalidInput);
        if (isFound(two)) expect(() => msm2([[two, 1n]])).toThrow(InvalidInput);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([0, 159, 161, 287, 289])("rejects an input of %i bytes", (length) => {
    expect(() => runSteps(curve.g1Msm(new Uint8Array(length)))).toThrow(InvalidInput);
    expect(() => runSteps(curve.g2Msm(new Uint8Array(length)))).toThrow(InvalidInput);
  });

  const msm1 = (pairs: readonly (readonly [Point1, bigint])[]) =>
    runSteps(curve.g1Msm(concat(...pairs.flatMap(([p, n]) => [encode1(p), toBytes(n, 32)]))));
  const msm2 = (pairs: readonly (readonly [Point2, bigint])[]) =>
    runSteps(curve.g2Msm(concat(...pairs.flatMap(([p, n]) => [encode2(p), toBytes(n, 32)]))));
});

describe("the pairing check on BLS12-381", () => {
  it(
    "recognizes products that are one, and others",
    () => {
      fc.assert(
        fc.property(g1, g2, scalar, (p, q, value) => {
          const left = [encode1(p.multiplyUnsafe(value)), encode2(q)];
          const right = [encode1(p.negate()), encode2(q.multiplyUnsafe(value))];
          const isTrivial = p.is0() || q.is0() || value === 0n;
          expect(pair(...left, ...right)).toEqual(ONE);
          expect(pair(...left)).toEqual(isTrivial ? ONE : ZERO);
        }),
        { numRuns: RUNS },
      );
    },
    SLOW_MS,
  );

  it("accepts points of the subgroup only, also beside points at infinity", () => {
    const other = findG2([1n, 2n]) ?? findG2([2n, 3n]) ?? findG2([3n, 4n]);

    expect(() => pair(encode1(THREE), new Uint8Array(256))).toThrow(InvalidInput);
    expect(() => pair(new Uint8Array(128), encode2(other ?? expect.fail()))).toThrow(InvalidInput);
    expect(pair(new Uint8Array(128), new Uint8Array(256))).toEqual(ONE);
  });

  it.each([0, 383, 385])("rejects an input of %i bytes", (length) => {
    expect(() => pair(new Uint8Array(length))).toThrow(InvalidInput);
  });

  const pair = (...parts: Uint8Array[]) => runSteps(curve.pairing(concat(...parts)));
});

describe("mapping to BLS12-381", () => {
  it("agrees with noble", () => {
    const any = fc.oneof(element, fc.constantFrom(0n, 1n, P - 1n));
    fc.assert(
      fc.property(any, any, (a, b) => {
        // The types of noble are those of the inner functions.
        const one = G1.mapToCurve(a as never) as unknown as Point1;
        const two = G2.mapToCurve([a, b]) as unknown as Point2;
        expect(runSteps(curve.mapFpToG1(toBytes(a, 64)))).toEqual(encode1(one));
        expect(runSteps(curve.mapFp2ToG2(concat(toBytes(a, 64), toBytes(b, 64))))).toEqual(
          encode2(two),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ["an element equal to the field order", toBytes(P, 64)],
    ["padding that is not zero", toBytes(2n ** 384n, 64)],
    ["no input", new Uint8Array()],
    ["63 bytes", new Uint8Array(63)],
  ])("rejects %s", (_, data) => {
    expect(() => runSteps(curve.mapFpToG1(data))).toThrow(InvalidInput);
    expect(() => runSteps(curve.mapFp2ToG2(concat(data, data)))).toThrow(InvalidInput);
  });
});

function sum<Point extends { add(other: Point): Point; multiplyUnsafe(by: bigint): Point }>(
  pairs: readonly (readonly [Point, bigint])[],
  zero: Point,
): Point {
  return pairs.reduce((total, [point, value]) => total.add(point.multiplyUnsafe(value % R)), zero);
}

/** A point of the curve with an x; hardly any is in the subgroup. */
function findG1(x: bigint): Point1 | undefined {
  const { Fp } = fields;
  try {
    return G1.Point.fromAffine({ x, y: Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), 4n)) });
  } catch {
    return undefined;
  }
}

function findG2([a, b]: readonly [bigint, bigint]): Point2 | undefined {
  const { Fp2 } = fields;
  const x = Fp2.fromBigTuple([a, b]);
  try {
    const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.fromBigTuple([4n, 4n])));
    return G2.Point.fromAffine({ x, y });
  } catch {
    return undefined;
  }
}

function isFound<T>(found: T | undefined): found is T {
  return found !== undefined;
}

function encode1(point: Point1): Uint8Array {
  if (point.is0()) return new Uint8Array(128);
  const { x, y } = point.toAffine();
  return concat(toBytes(x, 64), toBytes(y, 64));
}

function encode2(point: Point2): Uint8Array {
  if (point.is0()) return new Uint8Array(256);
  const { x, y } = point.toAffine();
  return concat(...[x.c0, x.c1, y.c0, y.c1].map((value) => toBytes(value, 64)));
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
