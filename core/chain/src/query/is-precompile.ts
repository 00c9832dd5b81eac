import type { Address } from "@plinth/core";
import { type Fork, isAtLeast } from "@plinth/core/evm";

/** A contract that is part of the machine. */
export interface StandardPrecompile {
  readonly name: string;
  readonly address: Address;
  readonly since: Fork;
}

/** EIP-7910 gives the names. */
const PRECOMPILES: readonly StandardPrecompile[] = [
  precompile("ECREC", 0x01, "frontier"),
  precompile("SHA256", 0x02, "frontier"),
  precompile("RIPEMD160", 0x03, "frontier"),
  precompile("ID", 0x04, "frontier"),
  precompile("MODEXP", 0x05, "byzantium"),
  precompile("BN254_ADD", 0x06, "byzantium"),
  precompile("BN254_MUL", 0x07, "byzantium"),
  precompile("BN254_PAIRING", 0x08, "byzantium"),
  precompile("BLAKE2F", 0x09, "istanbul"),
  precompile("KZG_POINT_EVALUATION", 0x0a, "cancun"),
  precompile("BLS12_G1ADD", 0x0b, "prague"),
  precompile("BLS12_G1MSM", 0x0c, "prague"),
  precompile("BLS12_G2ADD", 0x0d, "prague"),
  precompile("BLS12_G2MSM", 0x0e, "prague"),
  precompile("BLS12_PAIRING_CHECK", 0x0f, "prague"),
  precompile("BLS12_MAP_FP_TO_G1", 0x10, "prague"),
  precompile("BLS12_MAP_FP2_TO_G2", 0x11, "prague"),
  precompile("P256VERIFY", 0x100, "osaka"),
];

/** The precompiles of a fork. */
export function precompilesOf(fork: Fork): readonly StandardPrecompile[] {
  return PRECOMPILES.filter(({ since }) => isAtLeast(fork, since));
}

/** Does a precompile stand there? */
export function isPrecompile(address: Address, fork: Fork): boolean {
  return precompilesOf(fork).some((found) => found.address === address);
}

function precompile(name: string, number: number, since: Fork): StandardPrecompile {
  return { name, address: `0x${number.toString(16).padStart(40, "0")}`, since };
}
