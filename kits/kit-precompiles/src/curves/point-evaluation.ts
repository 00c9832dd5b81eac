import { createHash } from "node:crypto";
import { toBigInt, toBytes } from "../bytes.js";
import { type Compute, InvalidInput, inOneStep } from "../precompile.js";
import type { Curve } from "./curve.js";
import { SIZE } from "./mcl.js";
import type { VerifySubgroup } from "./pairing.js";

const INPUT_BYTES = 192;
const POINT_BYTES = 48;
const ELEMENT_BYTES = 64;
const VERSION = 0x01;
const FIELD_ELEMENTS_PER_BLOB = 4096n;
const GROUP_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const FIELD_ORDER =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

/** Flags in the first byte of a compressed point. */
const FLAG = { compressed: 0x80, infinity: 0x40, larger: 0x20, all: 0xe0 } as const;

const G1_GENERATOR =
  "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb";
const G2_GENERATOR =
  "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8";
/** The secret of the KZG ceremony times the generator of G2. */
const G2_SECRET =
  "b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2";

/** The return value of every call that succeeds. */
const OUTPUT = Uint8Array.from([
  ...toBytes(FIELD_ELEMENTS_PER_BLOB, 32),
  ...toBytes(GROUP_ORDER, 32),
]);

/**
 * Creates the point evaluation of EIP-4844: whether a polynomial has a value at a point.
 *
 * The equation is arranged so that both points of G2 are constants, whose Miller loops are prepared
 * once: e(commitment - [value]G1 + [point]proof, G2) = e(proof, [secret]G2).
 */
export function createPointEvaluation(curve: Curve, verifySubgroup: VerifySubgroup): Compute {
  const { mcl } = curve;
  const [commitment, left, product] = [SIZE.g1, SIZE.g1, SIZE.gt].map(mcl.allocate) as [
    number,
    number,
    number,
  ];
  // The factors of one multiplication: the generator by the negative value, the proof by the point.
  const [generator, scalars] = [mcl.allocate(2 * SIZE.g1), mcl.allocate(2 * SIZE.fr)];
  const proof = generator + SIZE.g1;
  const readG1 = createDecompression(curve, verifySubgroup);
  readG1(bytesOf(G1_GENERATOR), generator);
  const [one, secret] = [prepareG2(curve, G2_GENERATOR), prepareG2(curve, G2_SECRET)];

  function isProven(isProofFinite: boolean): boolean {
    mcl.mclBnG1_mulVec(left, generator, scalars, isProofFinite ? 2 : 1);
    mcl.mclBnG1_add(left, left, commitment);
    const isLeftFinite = mcl.mclBnG1_isZero(left) === 0;
    if (!isLeftFinite || !isProofFinite) return isLeftFinite === isProofFinite;
    mcl.mclBnG1_normalize(left, left);
    mcl.mclBnG1_neg(proof, proof);
    mcl.mclBn_precomputedMillerLoop2(product, left, one, proof, secret);
    mcl.mclBn_finalExp(product, product);
    return mcl.mclBnGT_isOne(product) === 1;
  }

  return inOneStep((data) => {
    if (data.length !== INPUT_BYTES)
      throw new InvalidInput(`point evaluation: ${data.length} bytes`);
    verifyVersionedHash(data);
    const [point, value] = [readScalar(data.subarray(32, 64)), readScalar(data.subarray(64, 96))];
    curve.readScalar(toBytes(GROUP_ORDER - value, 32), scalars);
    curve.readScalar(toBytes(point, 32), scalars + SIZE.fr);
    readG1(data.subarray(96, 144), commitment);
    const isProofFinite = readG1(data.subarray(144), proof);
    if (!isProven(isProofFinite)) throw new InvalidInput("point evaluation: the proof is wrong");
    return OUTPUT.slice();
  });
}

function verifyVersionedHash(data: Uint8Array): void {
  const hash = createHash("sha256").update(data.subarray(96, 144)).digest();
  hash[0] = VERSION;
  if (!hash.equals(data.subarray(0, 32))) {
    throw new InvalidInput("point evaluation: the commitment has another hash");
  }
}

function readScalar(data: Uint8Array): bigint {
  const scalar = toBigInt(data);
  if (scalar >= GROUP_ORDER) throw new InvalidInput("a scalar is not canonical");
  return scalar;
}

/** Computes the lines of the Miller loop of a constant. */
function prepareG2(curve: Curve, compressed: string): number {
  const { mcl } = curve;
  const [point, bytes] = [mcl.allocate(SIZE.g2), mcl.allocate(SIZE.g2)];
  const prepared = mcl.allocate(8 * mcl.mclBn_getUint64NumToPrecompute());
  curve.copyIn(bytesOf(compressed), bytes);
  mcl.mclBnG2_deserialize(point, bytes, compressed.length / 2);
  mcl.mclBn_precomputeG2(prepared, point);
  return prepared;
}

/**
 * Creates the decoder of compressed points of the subgroup; it returns false for the point at
 * infinity.
 */
function createDecompression(curve: Curve, verifySubgroup: VerifySubgroup) {
  const { mcl } = curve;
  const [square, four] = [mcl.allocate(SIZE.fp), mcl.allocate(SIZE.fp)];
  mcl.mclBnFp_setInt32(four, 4);

  /** y² = x³ + 4. */
  function findY(x: number, y: number): void {
    mcl.mclBnFp_sqr(square, x);
    mcl.mclBnFp_mul(square, square, x);
    mcl.mclBnFp_add(square, square, four);
    if (mcl.mclBnFp_squareRoot(y, square) !== 0) {
      throw new InvalidInput("a point is not on the curve");
    }
  }

  function isLarger(y: number): boolean {
    const bytes = new Uint8Array(POINT_BYTES);
    curve.writeFp(y, bytes);
    return 2n * toBigInt(bytes) > FIELD_ORDER;
  }

  return (data: Uint8Array, target: number): boolean => {
    const [x, y, z] = [target, target + SIZE.fp, target + 2 * SIZE.fp];
    mcl.mclBnG1_clear(target);
    const flags = verifyFlags(data);
    if ((flags & FLAG.infinity) !== 0) return false;
    const element = new Uint8Array(ELEMENT_BYTES);
    element.set(data, ELEMENT_BYTES - POINT_BYTES);
    element[ELEMENT_BYTES - POINT_BYTES] = (data[0] ?? 0) & ~FLAG.all;
    curve.readFp(element, x);
    findY(x, y);
    if (isLarger(y) !== ((flags & FLAG.larger) !== 0)) mcl.mclBnFp_neg(y, y);
    mcl.mclBnFp_setInt32(z, 1);
    verifySubgroup(target);
    return true;
  };
}

/** The flags of a compressed point; for the point at infinity nothing else may be set. */
function verifyFlags(data: Uint8Array): number {
  const [first = 0, ...rest] = data;
  const isInfinity = (first & FLAG.infinity) !== 0;
  const isExact = first === (FLAG.compressed | FLAG.infinity) && rest.every((byte) => byte === 0);
  if ((first & FLAG.compressed) === 0 || (isInfinity && !isExact)) {
    throw new InvalidInput("a compressed point has wrong flags");
  }
  return first & FLAG.all;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}
