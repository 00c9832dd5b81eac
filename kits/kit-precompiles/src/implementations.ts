import { blake2fGas, loadBlake2f } from "./blake2f.js";
import type { Bls12381 } from "./curves/bls12-381.js";
import type { Bn254 } from "./curves/bn254.js";
import { G1_DISCOUNTS, G2_DISCOUNTS } from "./curves/msm-discounts.js";
import { createModexp, type ModexpPricing, modexpGas } from "./modexp/modexp.js";
import type { PrecompiledContract } from "./precompile.js";

const BN254_PAIR_BYTES = 192;
const BLS_PAIR_BYTES = 384;
const G1_MSM_PAIR_BYTES = 160;
const G2_MSM_PAIR_BYTES = 288;

type Gas = PrecompiledContract["gas"];
type Implementation = Omit<PrecompiledContract, "address">;

const blake2f = once(async () => loadBlake2f());
const loadBn254 = once(async () => (await import("./curves/bn254.js")).loadBn254());
const loadBls12381 = once(async () => (await import("./curves/bls12-381.js")).loadBls12381());

const bn = (name: keyof Bn254) => async () => (await loadBn254())[name];
const bls = (name: keyof Bls12381) => async () => (await loadBls12381())[name];

/** The precompiles of this package, by their names and the EIPs that price them. */
export const IMPLEMENTATIONS: Readonly<Record<string, Readonly<Record<number, Implementation>>>> = {
  MODEXP: { 198: modexp("eip198"), 2565: modexp("eip2565"), 7883: modexp("eip7883") },
  BN254_ADD: {
    196: { gas: flat(500n), load: bn("add") },
    1108: { gas: flat(150n), load: bn("add") },
  },
  BN254_MUL: {
    196: { gas: flat(40_000n), load: bn("multiply") },
    1108: { gas: flat(6_000n), load: bn("multiply") },
  },
  BN254_PAIRING: {
    197: { gas: bn254PairingGas(100_000n, 80_000n), load: bn("pairing") },
    1108: { gas: bn254PairingGas(45_000n, 34_000n), load: bn("pairing") },
  },
  BLAKE2F: { 152: { gas: blake2fGas, load: blake2f } },
  KZG_POINT_EVALUATION: { 4844: { gas: flat(50_000n), load: bls("pointEvaluation") } },
  BLS12_G1ADD: { 2537: { gas: flat(375n), load: bls("g1Add") } },
  BLS12_G1MSM: {
    2537: {
      gas: msmGas({ single: 12_000n, bytes: G1_MSM_PAIR_BYTES, discounts: G1_DISCOUNTS }),
      load: bls("g1Msm"),
    },
  },
  BLS12_G2ADD: { 2537: { gas: flat(600n), load: bls("g2Add") } },
  BLS12_G2MSM: {
    2537: {
      gas: msmGas({ single: 22_500n, bytes: G2_MSM_PAIR_BYTES, discounts: G2_DISCOUNTS }),
      load: bls("g2Msm"),
    },
  },
  BLS12_PAIRING_CHECK: {
    2537: {
      gas: perPairGas({ base: 37_700n, perPair: 32_600n, bytes: BLS_PAIR_BYTES }),
      load: bls("pairing"),
    },
  },
  BLS12_MAP_FP_TO_G1: { 2537: { gas: flat(5_500n), load: bls("mapFpToG1") } },
  BLS12_MAP_FP2_TO_G2: { 2537: { gas: flat(23_800n), load: bls("mapFp2ToG2") } },
};

function modexp(pricing: ModexpPricing): Implementation {
  const compute = createModexp(pricing);
  return { gas: (data) => modexpGas(data, pricing), load: async () => compute };
}

function flat(price: bigint): Gas {
  return () => price;
}

function bn254PairingGas(base: bigint, perPair: bigint): Gas {
  return perPairGas({ base, perPair, bytes: BN254_PAIR_BYTES });
}

function perPairGas({
  base,
  perPair,
  bytes,
}: {
  readonly base: bigint;
  readonly perPair: bigint;
  readonly bytes: number;
}): Gas {
  return (data) => base + perPair * BigInt(Math.floor(data.length / bytes));
}

function msmGas({
  single,
  bytes,
  discounts,
}: {
  readonly single: bigint;
  readonly bytes: number;
  readonly discounts: readonly number[];
}): Gas {
  return (data) => {
    const pairs = Math.floor(data.length / bytes);
    const discount = discounts[Math.min(pairs, discounts.length) - 1] ?? 0;
    return (BigInt(pairs) * single * BigInt(discount)) / 1000n;
  };
}

/** A failed load may be retried. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
