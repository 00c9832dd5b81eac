import type { WasmMemory } from "@plinth/core/primitives";
import createModule from "mcl-wasm/dist/mcl_c.js";

/** The curves of mcl used by precompiles. */
const CURVES = { bn254: 4, bls12381: 5 } as const;

/**
 * The build parameters of mcl-wasm: six words for an element of the base field, four for a scalar.
 */
const COMPILED_FOR = 46;
/** RFC 9380: hashing to BLS12-381. */
const MAP_TO_CURVE_RFC_9380 = 5;

/** Sizes of values in the memory of mcl, for either curve. */
export const SIZE = { fp: 48, fp2: 96, g1: 144, g2: 288, gt: 576, fr: 32 } as const;

const FUNCTIONS = [
  "mclBn_init",
  "mclBn_verifyOrderG1",
  "mclBn_verifyOrderG2",
  "mclBn_setMapToMode",
  "mclBn_setETHserialization",
  "mclBn_millerLoopVec",
  "mclBn_finalExp",
  "mclBn_getUint64NumToPrecompute",
  "mclBn_precomputeG2",
  "mclBn_precomputedMillerLoop2",
  "mclBnFr_setBigEndianMod",
  "mclBnFp_setBigEndianMod",
  "mclBnFp_setInt32",
  "mclBnFp_getLittleEndian",
  "mclBnFp_neg",
  "mclBnFp_add",
  "mclBnFp_sqr",
  "mclBnFp_mul",
  "mclBnFp_squareRoot",
  "mclBnFp_mapToG1",
  "mclBnFp2_mul",
  "mclBnFp2_mapToG2",
  "mclBnG1_clear",
  "mclBnG1_isZero",
  "mclBnG1_isValid",
  "mclBnG1_isValidOrder",
  "mclBnG1_normalize",
  "mclBnG1_neg",
  "mclBnG1_add",
  "mclBnG1_mul",
  "mclBnG1_mulVec",
  "mclBnG2_clear",
  "mclBnG2_isZero",
  "mclBnG2_isEqual",
  "mclBnG2_isValid",
  "mclBnG2_isValidOrder",
  "mclBnG2_deserialize",
  "mclBnG2_normalize",
  "mclBnG2_dbl",
  "mclBnG2_add",
  "mclBnG2_mulVec",
  "mclBnGT_setInt32",
  "mclBnGT_mul",
  "mclBnGT_isOne",
] as const;

/** An instance of mcl; its functions take addresses in its memory. */
export interface Mcl
  extends Readonly<Record<(typeof FUNCTIONS)[number], (...args: number[]) => number>> {
  readonly memory: WasmMemory;
  readonly allocate: (bytes: number) => number;
}

/** Instantiates mcl for a curve; its state is global, so every curve has its own instance. */
export async function loadMcl(curve: keyof typeof CURVES): Promise<Mcl> {
  const module = await createModule({ cryptoGetRandomValues: refuseRandom });
  const mcl = {
    ...Object.fromEntries(FUNCTIONS.map((name) => [name, module[`_${name}`]])),
    memory: module.wasmMemory,
    allocate: module._malloc,
  } as Mcl;
  const code = mcl.mclBn_init(CURVES[curve], COMPILED_FOR);
  if (code !== 0) throw new Error(`mcl-wasm cannot initialize the curve ${curve}: error ${code}`);
  // Subgroup checks are made if the precompile requires them.
  mcl.mclBn_verifyOrderG1(0);
  mcl.mclBn_verifyOrderG2(0);
  if (curve === "bls12381") {
    mcl.mclBn_setMapToMode(MAP_TO_CURVE_RFC_9380);
    mcl.mclBn_setETHserialization(1);
  }
  return mcl;
}

function refuseRandom(): never {
  throw new Error("precompiles use no random numbers");
}
