import { type Address, parseHex, toHex } from "../primitives/hex.js";
import { BlobSchedule, readBlobSchedule } from "./blob-schedule.js";
import { configError, findMember, findNumber, readConfigNumber } from "./config-values.js";
import { INITIAL_BASE_FEE } from "./initial-base-fee.js";
import { readTerminalDifficulty } from "./terminal-difficulty.js";

/** Rules that a genesis file sets for its whole chain, besides its forks. */
export interface ChainRules {
  /** Replay protection of transactions (EIP-155); `undefined` if the genesis file has none. */
  readonly chainId?: bigint;
  readonly blobs: BlobSchedule;
  /** From EIP-1559, always zero, or always that of the parent. */
  readonly baseFee: "market" | "zero" | "fixed";
  /** The base fee of the first block that has one. */
  readonly initialBaseFee: bigint;
  /** Maximum size of a contract's code, if it overrides the fork. */
  readonly maxCodeBytes?: number;
  /** Maximum stack depth of a frame, if not 1,024. */
  readonly maxStackItems?: number;
  /** The terminal total difficulty; `undefined` if there is no merge by difficulty. */
  readonly terminalTotalDifficulty?: bigint;
  readonly contracts: RequestContracts;
}

/** Contracts whose output a block passes to the consensus layer (EIP-6110, EIP-7002, EIP-7251). */
export interface RequestContracts {
  readonly deposit: Address;
  readonly withdrawal: Address;
  readonly consolidation: Address;
}

/** The only supported curve. */
const CURVE = "secp256k1";
/** Yellow Paper, section 9.1. */
const STACK_SIZE = 1024n;
/** The maximum of Besu's type for it. */
const MAX_STACK_SIZE = 2n ** 31n - 1n;
const MAINNET_CONTRACTS: RequestContracts = {
  deposit: "0x00000000219ab540356cbb839cbe05303d7705fa",
  withdrawal: "0x00000961ef480eb55e80d19ad83579a64c007002",
  consolidation: "0x0000bbddc7ce488642fb579f8b00f3a590007251",
};

/** The default rules. */
export const USUAL_RULES: ChainRules = {
  blobs: new BlobSchedule(),
  baseFee: "market",
  initialBaseFee: INITIAL_BASE_FEE,
  contracts: MAINNET_CONTRACTS,
};

/**
 * Parses them from a genesis file's `config`, and from the enclosing file; an error names the key.
 */
export function readChainRules(config: object, genesis: object = {}): ChainRules {
  verifyServed(config);
  const maxStackItems = readStackSize(config);
  const maxCodeBytes = findConfigNumber(config, "contractSizeLimit");
  const terminalTotalDifficulty = readTerminalDifficulty(
    findMember(config, "terminalTotalDifficulty"),
  );
  const chainId = findConfigNumber(config, "chainId");
  return {
    ...(chainId === undefined ? {} : { chainId }),
    blobs: readBlobSchedule(config),
    baseFee: readBaseFee(config),
    initialBaseFee: findNumber(findMember(genesis, "baseFeePerGas")) ?? INITIAL_BASE_FEE,
    ...(maxCodeBytes === undefined ? {} : { maxCodeBytes: Number(maxCodeBytes) }),
    ...(maxStackItems === STACK_SIZE ? {} : { maxStackItems: Number(maxStackItems) }),
    ...(terminalTotalDifficulty === undefined ? {} : { terminalTotalDifficulty }),
    contracts: {
      deposit: readContract(config, "depositContractAddress", MAINNET_CONTRACTS.deposit),
      withdrawal: readContract(
        config,
        "withdrawalRequestContractAddress",
        MAINNET_CONTRACTS.withdrawal,
      ),
      consolidation: readContract(
        config,
        "consolidationRequestContractAddress",
        MAINNET_CONTRACTS.consolidation,
      ),
    },
  };
}

function verifyServed(config: object): void {
  const curve = findMember(config, "ecCurve") ?? CURVE;
  if (curve !== CURVE) {
    throw configError("ecCurve", `is ${JSON.stringify(curve)}; only ${CURVE} is supported`);
  }
}

function readStackSize(config: object): bigint {
  const size = findConfigNumber(config, "evmStackSize") ?? STACK_SIZE;
  if (size >= 1n && size <= MAX_STACK_SIZE) return size;
  throw configError("evmStackSize", `is ${size}; expected a number from 1 to ${MAX_STACK_SIZE}`);
}

/** A zero base fee takes precedence over a fixed one. */
function readBaseFee(config: object): ChainRules["baseFee"] {
  if (readFlag(config, "zeroBaseFee")) return "zero";
  return readFlag(config, "fixedBaseFee") ? "fixed" : "market";
}

function readFlag(config: object, key: string): boolean {
  const value = findMember(config, key) ?? false;
  if (typeof value === "boolean") return value;
  throw configError(key, `is ${JSON.stringify(value)}; expected true or false`);
}

function findConfigNumber(config: object, key: string): bigint | undefined {
  const value = findMember(config, key);
  return value === undefined ? undefined : readConfigNumber(key, value);
}

function readContract(config: object, key: string, usual: Address): Address {
  const value = findMember(config, key);
  if (value === undefined) return usual;
  const bytes = typeof value === "string" ? parseHex(value) : undefined;
  if (bytes?.length === 20) return toHex(bytes);
  throw configError(key, `is ${JSON.stringify(value)}; expected an address`);
}
