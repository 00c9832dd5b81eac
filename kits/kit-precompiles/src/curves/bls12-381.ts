import { type Compute, InvalidInput, inOneStep } from "../precompile.js";
import { Curve } from "./curve.js";
import { loadMcl, type Mcl, SIZE } from "./mcl.js";
import { createMsm, type MsmGroup } from "./msm.js";
import { createPairing, type VerifySubgroup } from "./pairing.js";
import { createPointEvaluation } from "./point-evaluation.js";

const ENCODING = {
  modulus:
    0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
  elementBytes: 64,
  fieldBytes: 48,
  isRealFirst: true,
} as const;
const G1_POINTS_PER_CALL = 64;
const G2_POINTS_PER_CALL = 24;

/** The precompiles on BLS12-381: those of EIP-2537, and the point evaluation of EIP-4844. */
export interface Bls12381 {
  readonly g1Add: Compute;
  readonly g1Msm: Compute;
  readonly g2Add: Compute;
  readonly g2Msm: Compute;
  readonly pairing: Compute;
  readonly mapFpToG1: Compute;
  readonly mapFp2ToG2: Compute;
  readonly pointEvaluation: Compute;
}

/** Instantiates the precompiles on BLS12-381. */
export async function loadBls12381(): Promise<Bls12381> {
  const curve = new Curve(await loadMcl("bls12381"), ENCODING);
  const { mcl } = curve;
  const verify = {
    g1: createSubgroupCheck(mcl.mclBnG1_isValidOrder),
    g2: createSubgroupCheck(mcl.mclBnG2_isValidOrder),
  };
  const g1: MsmGroup = {
    pointBytes: curve.g1Bytes,
    size: SIZE.g1,
    pointsPerCall: G1_POINTS_PER_CALL,
    verify: verify.g1,
    read: (data, target) => curve.readG1(data, target),
    write: (source) => curve.writeG1(source),
    clear: mcl.mclBnG1_clear,
    add: mcl.mclBnG1_add,
    multiply: mcl.mclBnG1_mulVec,
  };
  const g2: MsmGroup = {
    pointBytes: curve.g2Bytes,
    size: SIZE.g2,
    pointsPerCall: G2_POINTS_PER_CALL,
    verify: verify.g2,
    read: (data, target) => curve.readG2(data, target),
    write: (source) => curve.writeG2(source),
    clear: mcl.mclBnG2_clear,
    add: mcl.mclBnG2_add,
    multiply: mcl.mclBnG2_mulVec,
  };
  const pairing = createPairing(curve, verify);
  return {
    g1Add: createAdd(mcl, g1),
    g1Msm: createMsm(curve, g1),
    g2Add: createAdd(mcl, g2),
    g2Msm: createMsm(curve, g2),
    *pairing(data) {
      if (data.length === 0) throw new InvalidInput("pairing: no input");
      return yield* pairing(data);
    },
    ...createMaps(curve),
    pointEvaluation: createPointEvaluation(curve, verify.g1),
  };
}

function createSubgroupCheck(isValidOrder: (point: number) => number): VerifySubgroup {
  return (point) => {
    if (isValidOrder(point) === 0) throw new InvalidInput("a point is not in the subgroup");
  };
}

/** EIP-2537: an addition does not check that its points are in the subgroup. */
function createAdd(mcl: Mcl, { pointBytes, size, ...group }: MsmGroup): Compute {
  const [one, other] = [mcl.allocate(size), mcl.allocate(size)];
  return inOneStep((data) => {
    verifyLength(data, 2 * pointBytes);
    group.read(data.subarray(0, pointBytes), one);
    group.read(data.subarray(pointBytes), other);
    group.add(one, one, other);
    return group.write(one);
  });
}

function createMaps(curve: Curve): Pick<Bls12381, "mapFpToG1" | "mapFp2ToG2"> {
  const { mcl } = curve;
  const [element, point] = [mcl.allocate(SIZE.fp2), mcl.allocate(SIZE.g2)];
  return {
    mapFpToG1: inOneStep((data) => {
      verifyLength(data, ENCODING.elementBytes);
      curve.readFp(data, element);
      mcl.mclBnFp_mapToG1(point, element);
      return curve.writeG1(point);
    }),
    mapFp2ToG2: inOneStep((data) => {
      verifyLength(data, 2 * ENCODING.elementBytes);
      curve.readFp2(data, element);
      mcl.mclBnFp2_mapToG2(point, element);
      return curve.writeG2(point);
    }),
  };
}

function verifyLength(data: Uint8Array, length: number): void {
  if (data.length !== length) throw new InvalidInput(`${data.length} bytes instead of ${length}`);
}
