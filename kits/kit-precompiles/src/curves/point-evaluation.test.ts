import { createHash } from "node:crypto";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { runSteps } from "@plinth/core/async";
import { beforeAll, describe, expect, it } from "vitest";
import { toBytes } from "../bytes.js";
import { type Compute, InvalidInput } from "../precompile.js";
import { loadBls12381 } from "./bls12-381.js";

const { G1, fields } = bls12_381;
const R = fields.Fr.ORDER;
const INFINITY = `c0${"00".repeat(47)}`;
const GENERATOR = G1.Point.BASE.toHex();
/** The valid test of the specification: point, value, commitment, proof. */
const VALID = {
  point: "564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306",
  value: "24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1",
  commitment:
    "8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7",
  proof:
    "873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a",
};

let compute: Compute;
beforeAll(async () => {
  compute = (await loadBls12381()).pointEvaluation;
});

describe("point evaluation", () => {
  it("returns the constants of EIP-4844 for a proof", () => {
    const result = runSteps(compute(anInput(VALID)));

    expect(Buffer.from(result).toString("hex")).toBe(
      `${(4096).toString(16).padStart(64, "0")}${R.toString(16)}`,
    );
  });

  it("proves a constant by the point at infinity", () => {
    const seven = G1.Point.BASE.multiply(7n).toHex();

    expect(run({ value: word(7n), commitment: seven, proof: INFINITY })).toHaveLength(64);
    expect(run({ value: word(0n), commitment: INFINITY, proof: INFINITY })).toHaveLength(64);
    expect(() => run({ value: word(8n), commitment: seven, proof: INFINITY })).toThrow(
      InvalidInput,
    );
  });

  it("rejects a finite proof if nothing is left to prove", () => {
    // With a point of zero, the left side is the commitment minus the value.
    const fields = { point: word(0n), value: word(1n), commitment: GENERATOR, proof: GENERATOR };

    expect(() => run(fields)).toThrow(InvalidInput);
  });

  it.each([
    ["another value", { value: VALID.value.replace("24", "25") }],
    ["another point", { point: VALID.point.replace("56", "57") }],
    ["a point equal to the group order", { point: word(R) }],
    ["a value equal to the group order", { value: word(R) }],
    ["a commitment without the compression flag", { commitment: `1${GENERATOR.slice(1)}` }],
    ["infinity with another bit", { proof: `${INFINITY.slice(0, -1)}1` }],
    ["infinity with a sign", { proof: `e0${INFINITY.slice(2)}` }],
    ["x above the field order", { proof: `9f${"ff".repeat(47)}` }],
    ["x without a point", { proof: `80${"00".repeat(46)}01` }],
    ["a point that is not in the subgroup", { proof: `80${"00".repeat(47)}` }],
  ])("rejects %s", (_, fields) => {
    expect(() => run(fields)).toThrow(InvalidInput);
  });

  it("rejects the hash of another commitment, and other lengths", () => {
    const data = anInput(VALID);

    expect(() => runSteps(compute(Uint8Array.from([...data.slice(1), 0])))).toThrow(InvalidInput);
    expect(() => runSteps(compute(data.subarray(1)))).toThrow(InvalidInput);
    expect(() => runSteps(compute(new Uint8Array()))).toThrow(InvalidInput);
  });

  const run = (fields: Partial<typeof VALID>) =>
    runSteps(compute(anInput({ ...VALID, ...fields })));
});

function anInput({ point, value, commitment, proof }: typeof VALID): Uint8Array {
  const hash = createHash("sha256").update(commitment, "hex").digest("hex");
  const hex = `01${hash.slice(2)}${point}${value}${commitment}${proof}`;
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

function word(value: bigint): string {
  return Buffer.from(toBytes(value, 32)).toString("hex");
}
