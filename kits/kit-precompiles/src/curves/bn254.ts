import { readPadded, toBytes } from "../bytes.js";
import { type Compute, InvalidInput, inOneStep } from "../precompile.js";
import { Curve } from "./curve.js";
import { loadMcl, SIZE } from "./mcl.js";
import { createPairing } from "./pairing.js";

const MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;
/** The parameter x of the curve. */
const PARAMETER = 4_965_661_367_192_848_881n;
/** (9 + i)^((p-1)/3) and (9 + i)^((p-1)/2), each as its real and its imaginary part. */
const PSI_CONSTANTS = [
  0x2fb347984f7911f74c0bec3cf559b143b78cc310c2c3330c99e39557176f553dn,
  0x16c9e55061ebae204ba4cc8bd75a079432ae2a1d0b7c9dce1665d51c640fcba2n,
  0x063cf305489af5dcdc5ec698b6e2f9b9dbaae0eda9c95998dc54014671a0135an,
  0x07c03cbcac41049a0704b5a7ec796f2b21807dc98fa25bd282d37f632623b0e3n,
];
const POINT_BYTES = 64;
const SCALAR_BYTES = 32;

/** The precompiles on bn254 (EIP-196 and EIP-197). */
export interface Bn254 {
  readonly add: Compute;
  readonly multiply: Compute;
  readonly pairing: Compute;
}

/** Instantiates the precompiles on bn254. */
export async function loadBn254(): Promise<Bn254> {
  const curve = new Curve(await loadMcl("bn254"), {
    modulus: MODULUS,
    elementBytes: 32,
    fieldBytes: 32,
    isRealFirst: false,
  });
  const { mcl } = curve;
  const [one, other, scalar] = [SIZE.g1, SIZE.g1, SIZE.fr].map(mcl.allocate) as [
    number,
    number,
    number,
  ];
  return {
    add: inOneStep((data) => {
      curve.readG1(readPadded(data, 0, POINT_BYTES), one);
      curve.readG1(readPadded(data, POINT_BYTES, POINT_BYTES), other);
      mcl.mclBnG1_add(one, one, other);
      return curve.writeG1(one);
    }),
    multiply: inOneStep((data) => {
      curve.readG1(readPadded(data, 0, POINT_BYTES), one);
      curve.readScalar(readPadded(data, POINT_BYTES, SCALAR_BYTES), scalar);
      mcl.mclBnG1_mul(one, one, scalar);
      return curve.writeG1(one);
    }),
    // Every point of the curve is in the group: its cofactor is one.
    pairing: createPairing(curve, { g1: () => {}, g2: createSubgroupCheck(curve) }),
  };
}

/**
 * Creates the membership test of G2 by its endomorphism ψ: [x+1]Q + ψ([x]Q) + ψ²([x]Q) = ψ³([2x]Q).
 *
 * Sufficient because the norm of x+1 + xψ + xψ² - 2xψ³ has no factor but the group order in common
 * with the order of the twist. One multiplication by 63 bits instead of one by 254.
 */
function createSubgroupCheck(curve: Curve): (point: number) => void {
  const { mcl } = curve;
  const [multiple, sum, image] = [SIZE.g2, SIZE.g2, SIZE.g2].map(mcl.allocate) as [
    number,
    number,
    number,
  ];
  const applyPsi = createPsi(curve);
  const [, ...bits] = PARAMETER.toString(2);
  return (point) => {
    curve.memory().copyWithin(multiple, point, point + SIZE.g2);
    for (const bit of bits) {
      mcl.mclBnG2_dbl(multiple, multiple);
      if (bit === "1") mcl.mclBnG2_add(multiple, multiple, point);
    }
    mcl.mclBnG2_add(sum, multiple, point);
    applyPsi(image, multiple);
    mcl.mclBnG2_add(sum, sum, image);
    applyPsi(image, image);
    mcl.mclBnG2_add(sum, sum, image);
    applyPsi(image, image);
    mcl.mclBnG2_dbl(image, image);
    if (mcl.mclBnG2_isEqual(sum, image) === 0) {
      throw new InvalidInput("a point is not in the subgroup");
    }
  };
}

/** Frobenius on the twist: conjugates all coordinates and multiplies two of them by constants. */
function createPsi(curve: Curve): (target: number, source: number) => void {
  const { mcl } = curve;
  const constants = mcl.allocate(2 * SIZE.fp2);
  PSI_CONSTANTS.forEach((constant, index) => {
    curve.readFp(toBytes(constant, 32), constants + index * SIZE.fp);
  });
  return (target, source) => {
    if (target !== source) curve.memory().copyWithin(target, source, source + SIZE.g2);
    for (let coordinate = 0; coordinate < 3; coordinate++) {
      const imaginary = target + coordinate * SIZE.fp2 + SIZE.fp;
      mcl.mclBnFp_neg(imaginary, imaginary);
    }
    mcl.mclBnFp2_mul(target, target, constants);
    mcl.mclBnFp2_mul(target + SIZE.fp2, target + SIZE.fp2, constants + SIZE.fp2);
  };
}
