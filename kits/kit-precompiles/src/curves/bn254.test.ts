import { bn254 } from "@noble/curves/bn254.js";
import { runSteps } from "@plinth/core/async";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { toBytes } from "../bytes.js";
import { InvalidInput } from "../precompile.js";
import { type Bn254, loadBn254 } from "./bn254.js";

const { G1, G2, fields } = bn254;
const P = fields.Fp.ORDER;
const R = fields.Fr.ORDER;
const RUNS = Number(process.env.PLINTH_PRECOMPILE_RUNS ?? 20);
const SLOW_MS = 60_000 + 100 * RUNS;
const ONE = toBytes(1n, 32);
const ZERO = new Uint8Array(32);

type Point1 = typeof G1.Point.BASE;
type Point2 = typeof G2.Point.BASE;

let curve: Bn254;
beforeAll(async () => {
  curve = await loadBn254();
});

const scalar = fc.oneof(
  fc.bigInt({ min: 0n, max: R - 1n }),
  fc.constantFrom(0n, 1n, 2n, R - 1n, R - 2n),
);
const g1 = scalar.map((value) => G1.Point.BASE.multiplyUnsafe(value));
const g2 = scalar.map((value) => G2.Point.BASE.multiplyUnsafe(value));

describe("addition on bn254", () => {
  it("agrees with noble", () => {
    fc.assert(
      fc.property(g1, g1, (one, other) => {
        expect(add(encode1(one), encode1(other))).toEqual(encode1(one.add(other)));
      }),
      { numRuns: RUNS },
    );
  });

  it("adds a point to itself and to its negative", () => {
    const point = G1.Point.BASE;

    expect(add(encode1(point), encode1(point))).toEqual(encode1(point.double()));
    expect(add(encode1(point), encode1(point.negate()))).toEqual(new Uint8Array(64));
  });

  it("pads its input with zeros, and ignores bytes after its operands", () => {
    const point = encode1(G1.Point.BASE);

    expect(add()).toEqual(new Uint8Array(64));
    expect(add(point)).toEqual(point);
    expect(add(point, new Uint8Array(64), Uint8Array.of(1, 2, 3))).toEqual(point);
  });

  it.each([
    ["a point off the curve", [1n, 3n]],
    ["x equal to the field order", [P, 0n]],
    ["y above the field order", [1n, P + 2n]],
    ["x that is not canonical", [P + 1n, 2n]],
    ["the largest number", [1n, 2n ** 256n - 1n]],
  ])("rejects %s", (_, coordinates) => {
    const point = coordinates.map((value) => toBytes(value, 32));

    expect(() => add(...point)).toThrow(InvalidInput);
  });

  function add(...parts: Uint8Array[]) {
    return runSteps(curve.add(concat(...parts)));
  }
});

describe("multiplication on bn254", () => {
  it("agrees with noble for scalars below and above the order", () => {
    const factor = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.constantFrom(0n, 1n, R, R + 1n, 2n ** 256n - 1n),
    );
    fc.assert(
      fc.property(g1, factor, (point, value) => {
        const result = runSteps(curve.multiply(concat(encode1(point), toBytes(value, 32))));
        expect(result).toEqual(encode1(point.multiplyUnsafe(value % R)));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the pairing check on bn254", () => {
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

  it("is one for no pairs, and for points at infinity", () => {
    const [p, q] = [encode1(G1.Point.BASE), encode2(G2.Point.BASE)];

    expect(pair()).toEqual(ONE);
    expect(pair(p, new Uint8Array(128))).toEqual(ONE);
    expect(pair(new Uint8Array(64), q)).toEqual(ONE);
  });

  it("multiplies more pairs than are computed at once", () => {
    const [p, q] = [encode1(G1.Point.BASE), encode2(G2.Point.BASE)];
    const negative = encode1(G1.Point.BASE.negate());
    const pairs = Array.from({ length: 10 }, () => [p, q, negative, q]).flat();

    expect(pair(...pairs)).toEqual(ONE);
    expect(pair(...pairs, p, q)).toEqual(ZERO);
  });

  it("accepts points of the subgroup only", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: P - 1n }),
        fc.bigInt({ min: 0n, max: P - 1n }),
        (a, b) => {
          const point = findTwistPoint(a, b);
          fc.pre(point !== undefined);
          expect(() => pair(encode1(G1.Point.BASE), encode2(point))).toThrow(InvalidInput);
          expect(() => pair(new Uint8Array(64), encode2(point))).toThrow(InvalidInput);
          expect(pair(encode1(G1.Point.BASE), encode2(clearCofactor(point)))).toEqual(ZERO);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it.each([
    ["a truncated pair", 191],
    ["bytes after a pair", 193],
  ])("rejects %s", (_, length) => {
    expect(() => runSteps(curve.pairing(new Uint8Array(length)))).toThrow(InvalidInput);
  });

  it("rejects an invalid second point even if the first is at infinity", () => {
    const point = concat(toBytes(1n, 64), toBytes(1n, 64));

    expect(() => pair(new Uint8Array(64), point)).toThrow(InvalidInput);
  });

  function pair(...parts: Uint8Array[]) {
    return runSteps(curve.pairing(concat(...parts)));
  }
});

/** A point of the twist with an x; hardly any is in the subgroup. */
function findTwistPoint(a: bigint, b: bigint): Point2 | undefined {
  const { Fp2 } = fields;
  const x = Fp2.fromBigTuple([a, b]);
  try {
    const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), G2.Point.CURVE().b));
    return G2.Point.fromAffine({ x, y });
  } catch {
    return undefined;
  }
}

/** Multiplies by the cofactor of the twist, 2p - r, in steps below the order. */
function clearCofactor(point: Point2): Point2 {
  const double = point.double();
  const multiple = double.multiplyUnsafe(R - 1n).add(double);
  return multiple
    .add(double.multiplyUnsafe(P - R))
    .subtract(point.multiplyUnsafe(R - 1n).add(point));
}

function encode1(point: Point1): Uint8Array {
  if (point.is0()) return new Uint8Array(64);
  const { x, y } = point.toAffine();
  return concat(toBytes(x, 32), toBytes(y, 32));
}

function encode2(point: Point2): Uint8Array {
  if (point.is0()) return new Uint8Array(128);
  const { x, y } = point.toAffine();
  return concat(...[x.c1, x.c0, y.c1, y.c0].map((value) => toBytes(value, 32)));
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
