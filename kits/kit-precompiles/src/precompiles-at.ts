import type { Address } from "@plinth/core";
import { type Fork, isAtLeast } from "@plinth/core/evm";
import { blake2fGas, loadBlake2f } from "./blake2f.js";
import type { Bls12381 } from "./curves/bls12-381.js";
import type { Bn254 } from "./curves/bn254.js";
import { G1_DISCOUNTS, G2_DISCOUNTS } from "./curves/msm-discounts.js";
import { createModexp, type ModexpPricing, modexpGas } from "./modexp/modexp.js";
import type { Compute, PrecompiledContract } from "./precompile.js";

const BN254_PAIR_BYTES = 192;
const BLS_PAIR_BYTES = 384;
const G1_MSM_PAIR_BYTES = 160;
const G2_MSM_PAIR_BYTES = 288;

type Gas = PrecompiledContract["gas"];

/** The precompiles of this package that are active at a fork. */
export function precompilesAt(fork: Fork): readonly PrecompiledContract[] {
  return [
    ...(isAtLeast(fork, "byzantium") ? [modexp(fork), ...bn254(fork)] : []),
    ...(isAtLeast(fork, "istanbul") ? [at(0x09, blake2fGas, blake2f)] : []),
    ...(isAtLeast(fork, "cancun") ? [at(0x0a, flat(50_000n), bls("pointEvaluation"))] : []),
    ...(isAtLeast(fork, "prague") ? bls12381() : []),
  ];
}

function modexp(fork: Fork): PrecompiledContract {
  const pricing = modexpPricingAt(fork);
  const compute = createModexp(pricing);
  return at(
    0x05,
    (data) => modexpGas(data, pricing),
    async () => compute,
  );
}

function modexpPricingAt(fork: Fork): ModexpPricing {
  if (isAtLeast(fork, "osaka")) return "eip7883";
  return isAtLeast(fork, "berlin") ? "eip2565" : "eip198";
}

/** EIP-196 and EIP-197, cheaper since EIP-1108. */
function bn254(fork: Fork): PrecompiledContract[] {
  const isCheap = isAtLeast(fork, "istanbul");
  const [base, perPair] = isCheap ? [45_000n, 34_000n] : [100_000n, 80_000n];
  return [
    at(0x06, flat(isCheap ? 150n : 500n), bn("add")),
    at(0x07, flat(isCheap ? 6_000n : 40_000n), bn("multiply")),
    at(0x08, perPairGas({ base, perPair, bytes: BN254_PAIR_BYTES }), bn("pairing")),
  ];
}

/** EIP-2537. */
function bls12381(): PrecompiledContract[] {
  const pairing = { base: 37_700n, perPair: 32_600n, bytes: BLS_PAIR_BYTES };
  const g1Msm = { single: 12_000n, bytes: G1_MSM_PAIR_BYTES, discounts: G1_DISCOUNTS };
  const g2Msm = { single: 22_500n, bytes: G2_MSM_PAIR_BYTES, discounts: G2_DISCOUNTS };
  return [
    at(0x0b, flat(375n), bls("g1Add")),
    at(0x0c, msmGas(g1Msm), bls("g1Msm")),
    at(0x0d, flat(600n), bls("g2Add")),
    at(0x0e, msmGas(g2Msm), bls("g2Msm")),
    at(0x0f, perPairGas(pairing), bls("pairing")),
    at(0x10, flat(5_500n), bls("mapFpToG1")),
    at(0x11, flat(23_800n), bls("mapFp2ToG2")),
  ];
}

function at(number: number, gas: Gas, load: () => Promise<Compute>): PrecompiledContract {
  const address: Address = `0x${number.toString(16).padStart(40, "0")}`;
  return { address, gas, load };
}

const flat =
  (price: bigint): Gas =>
  () =>
    price;

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

const blake2f = once(async () => loadBlake2f());
const loadBn254 = once(async () => (await import("./curves/bn254.js")).loadBn254());
const loadBls12381 = once(async () => (await import("./curves/bls12-381.js")).loadBls12381());

const bn = (name: keyof Bn254) => async () => (await loadBn254())[name];
const bls = (name: keyof Bls12381) => async () => (await loadBls12381())[name];

/** A load that failed may be tried again. */
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
