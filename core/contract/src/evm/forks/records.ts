import { FRONTIER } from "./frontier.js";
import { precompile } from "./precompile.js";
import type { ForkRecord } from "./rule-set.js";

/** The changes of each fork, in activation order: the only list of them. */
export const RECORDS = {
  frontier: FRONTIER,
  homestead: {
    blockKeys: ["homesteadBlock"],
    opcodes: { DELEGATECALL: [0xf4, 6, 1, 40] },
    needsLowS: true,
    creationGas: 32_000n,
    needsDepositGas: true,
  },
  /** An irregular state change; no rule changed. */
  dao: { blockKeys: ["daoForkBlock"] },
  tangerineWhistle: {
    blockKeys: ["eip150Block"],
    opcodeGas: {
      BALANCE: 400,
      EXTCODESIZE: 700,
      EXTCODECOPY: 700,
      SLOAD: 200,
      CALL: 700,
      CALLCODE: 700,
      DELEGATECALL: 700,
      SELFDESTRUCT: 5_000,
    },
    keepsGas: true,
    selfdestructPaysHeir: true,
  },
  spuriousDragon: {
    blockKeys: ["eip155Block", "eip158Block"],
    hasChainIds: true,
    removesEmptyAccounts: true,
    maxCodeBytes: 24_576,
    expByteGas: 50,
  },
  byzantium: {
    blockKeys: ["byzantiumBlock"],
    opcodes: {
      RETURNDATASIZE: [0x3d, 0, 1, 2],
      RETURNDATACOPY: [0x3e, 3, 0, 3],
      STATICCALL: [0xfa, 6, 1, 700],
      REVERT: [0xfd, 2, 0, 0],
    },
    precompiles: {
      MODEXP: precompile(0x05, 198),
      BN254_ADD: precompile(0x06, 196),
      BN254_MUL: precompile(0x07, 196),
      BN254_PAIRING: precompile(0x08, 197),
    },
    hasReceiptStatus: true,
  },
  constantinople: {
    blockKeys: ["constantinopleBlock"],
    opcodes: {
      SHL: [0x1b, 2, 1, 3],
      SHR: [0x1c, 2, 1, 3],
      SAR: [0x1d, 2, 1, 3],
      EXTCODEHASH: [0x3f, 1, 1, 400],
      CREATE2: [0xf5, 4, 1, 32_000],
    },
    netStore: { noop: 200, reset: 5_000, clearRefund: 15_000 },
  },
  petersburg: {
    blockKeys: ["constantinopleFixBlock", "petersburgBlock"],
    netStore: undefined,
  },
  istanbul: {
    blockKeys: ["istanbulBlock"],
    opcodes: { CHAINID: [0x46, 0, 1, 2], SELFBALANCE: [0x47, 0, 1, 5] },
    opcodeGas: { BALANCE: 700, EXTCODEHASH: 700, SLOAD: 800 },
    precompiles: { BLAKE2F: precompile(0x09, 152) },
    precompilePrices: { BN254_ADD: 1108, BN254_MUL: 1108, BN254_PAIRING: 1108 },
    dataByteGas: 16n,
    netStore: { noop: 800, reset: 5_000, clearRefund: 15_000 },
    storeReserve: 2_300,
  },
  /** Delays the difficulty bomb, like the other glaciers. */
  muirGlacier: { blockKeys: ["muirGlacierBlock"] },
  berlin: {
    blockKeys: ["berlinBlock"],
    // Account access is priced separately from here on.
    opcodeGas: {
      BALANCE: 0,
      EXTCODESIZE: 0,
      EXTCODECOPY: 0,
      EXTCODEHASH: 0,
      SLOAD: 0,
      CALL: 0,
      CALLCODE: 0,
      DELEGATECALL: 0,
      STATICCALL: 0,
    },
    precompilePrices: { MODEXP: 2565 },
    transactionTypes: [0, 1],
    hasColdAccess: true,
    netStore: { noop: 100, reset: 2_900, clearRefund: 15_000 },
  },
  london: {
    blockKeys: ["londonBlock"],
    opcodes: { BASEFEE: [0x48, 0, 1, 2] },
    hasBaseFee: true,
    transactionTypes: [0, 1, 2],
    refundQuotient: 5n,
    reservesEf: true,
    netStore: { noop: 100, reset: 2_900, clearRefund: 4_800 },
    selfdestructRefund: 0,
  },
  arrowGlacier: { blockKeys: ["arrowGlacierBlock"] },
  grayGlacier: { blockKeys: ["grayGlacierBlock"] },
  /** Starts where blocks no longer have a difficulty. */
  paris: { hasRandom: true },
  shanghai: {
    timeKeys: ["shanghaiTime"],
    opcodes: { PUSH0: [0x5f, 0, 1, 2] },
    hasWithdrawals: true,
    warmsFeeRecipient: true,
    maxInitCodeBytes: 49_152,
    initCodeWordGas: 2,
  },
  cancun: {
    timeKeys: ["cancunTime"],
    opcodes: {
      BLOBHASH: [0x49, 1, 1, 3],
      BLOBBASEFEE: [0x4a, 0, 1, 2],
      TLOAD: [0x5c, 1, 1, 100],
      TSTORE: [0x5d, 2, 0, 100],
      MCOPY: [0x5e, 3, 0, 3],
    },
    precompiles: { KZG_POINT_EVALUATION: precompile(0x0a, 4844) },
    blobs: { target: 3n, max: 6n, updateFraction: 3_338_477n },
    keepsBeaconRoots: true,
    transactionTypes: [0, 1, 2, 3],
    selfdestructKeepsCode: true,
  },
  prague: {
    timeKeys: ["pragueTime"],
    precompiles: {
      BLS12_G1ADD: precompile(0x0b, 2537),
      BLS12_G1MSM: precompile(0x0c, 2537),
      BLS12_G2ADD: precompile(0x0d, 2537),
      BLS12_G2MSM: precompile(0x0e, 2537),
      BLS12_PAIRING_CHECK: precompile(0x0f, 2537),
      BLS12_MAP_FP_TO_G1: precompile(0x10, 2537),
      BLS12_MAP_FP2_TO_G2: precompile(0x11, 2537),
    },
    // EIP-7691.
    blobs: { target: 6n, max: 9n, updateFraction: 5_007_716n },
    keepsBlockHashes: true,
    hasRequests: true,
    transactionTypes: [0, 1, 2, 3, 4],
    floorTokenGas: 10n,
    hasDelegations: true,
  },
  osaka: {
    timeKeys: ["osakaTime"],
    opcodes: { CLZ: [0x1e, 1, 1, 5] },
    precompiles: { P256VERIFY: precompile(0x100, 7951) },
    // With the upper bound on its operands (EIP-7823).
    precompilePrices: { MODEXP: 7883 },
    hasBlobReservePrice: true,
    // 10 MiB minus 2 MiB for the enclosing beacon block.
    maxBlockBytes: 8_388_608,
    maxTransactionGas: 2n ** 24n,
    maxTransactionBlobs: 6,
    blobProofs: "cells",
  },
} as const satisfies Readonly<Record<string, ForkRecord>>;
