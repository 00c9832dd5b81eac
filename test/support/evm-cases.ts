import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  EMPTY_ROOT,
  encodeRlp,
  type Hash,
  hexToBytes,
  toHex,
  toQuantity,
} from "@plinth/core";
import { type Authorization, signAuthorization } from "@plinth/core/blocks";
import {
  type BlockContext,
  type Evm,
  type EvmResult,
  type EvmTransaction,
  FORKS,
  type Fork,
  isAtLeast,
  type WorldState,
} from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { floorGas, intrinsicGas } from "@plinth/core/rules";
import type { TestNode } from "@plinth/testing";
import { mutateCode, Random, randomProgram } from "./evm-programs.js";
import { ROOT } from "./program.js";

/** A transaction on a small state, under the rules of a fork. */
export interface EvmCase {
  readonly seed: number;
  readonly fork: Fork;
  readonly accounts: Readonly<Record<Address, CaseAccount>>;
  readonly transaction: EvmTransaction;
}

export interface CaseAccount {
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly storage?: Readonly<Record<Hash, bigint>>;
}

/** The compared results of a run. */
export interface CaseResult {
  readonly outcome: string;
  readonly gasUsed: bigint;
  readonly returnValue: string;
  readonly createdAddress: string | undefined;
  readonly logs: Hash;
  readonly root: Hash;
}

/** Glaciers and the DAO have no code rules. */
export const CASE_FORKS: readonly Fork[] = FORKS.filter(
  (fork) => fork !== "dao" && !fork.endsWith("Glacier"),
);

export const KEY = "0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
export const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
export const COINBASE: Address = "0x00000000000000000000000000000000000c01ba";
export const FIRST: Address = "0x00000000000000000000000000000000000a0001";
const SECOND: Address = "0x00000000000000000000000000000000000a0002";
const THIRD: Address = "0x00000000000000000000000000000000000a0003";
/** Has ether and nothing else. */
const RICH: Address = "0x00000000000000000000000000000000000a0004";
const MISSING: Address = "0x00000000000000000000000000000000000a0005";
const ETHER = 10n ** 18n;
const CHAIN_ID = 1n;
const GAS_PRICE = 10n;
const BASE_FEE = 7n;
const BLOCK_GAS = 30_000_000n;
const REAL_CODE = hexToBytes(
  JSON.parse(readFileSync(join(ROOT, "test/performance/evm/loops.json"), "utf8")).code,
);

const PRECOMPILES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x100].map(
  (number): Address => `0x${number.toString(16).padStart(40, "0")}`,
);
const ADDRESSES: readonly Address[] = [
  FIRST,
  FIRST,
  SECOND,
  SECOND,
  THIRD,
  THIRD,
  RICH,
  MISSING,
  SENDER,
  COINBASE,
  ...PRECOMPILES,
];

/** The case of a seed; the fork is derived from it, so that every fork is covered. */
export function createCase(seed: number, forks: readonly Fork[] = CASE_FORKS): EvmCase {
  const random = new Random(seed);
  const fork = forks[seed % forks.length] as Fork;
  const context = { random, addresses: ADDRESSES, fork };
  const isReal = random.chance(0.1);
  const first = isReal ? mutateCode(REAL_CODE, random) : randomProgram(context);
  const accounts: Record<Address, CaseAccount> = {
    [SENDER]: { balance: 10n ** 24n },
    [FIRST]: { code: first, balance: BigInt(random.below(4)), nonce: 1n, ...storageOf(random) },
    [SECOND]: { code: randomProgram(context), nonce: 1n, balance: 5n, ...storageOf(random) },
    [THIRD]: {
      code:
        isAtLeast(fork, "prague") && random.chance(0.3)
          ? delegation(random)
          : randomProgram(context),
      nonce: 1n,
    },
    [RICH]: { balance: ETHER },
  };
  const isCreation = random.chance(0.1);
  const authorizationList = isCreation ? [] : authorizations(random, fork);
  const { type, ...fees } = feesOf(random, fork, authorizationList.length > 0);
  const unlimited = {
    type,
    nonce: 0n,
    ...fees,
    to: isCreation ? undefined : random.chance(0.95) ? FIRST : random.pick(ADDRESSES),
    value: random.chance(0.2) ? BigInt(random.below(3)) : 0n,
    data: isCreation
      ? randomProgram(context)
      : isReal
        ? realInput(random)
        : Uint8Array.from({ length: random.below(80) }, () => random.below(256)),
    accessList:
      type > 0 && random.chance(0.5)
        ? [{ address: random.pick(ADDRESSES), storageKeys: [slot(random.below(4))] }]
        : [],
    authorizationList,
    blobVersionedHashes: [],
    maxFeePerBlobGas: undefined,
    sender: SENDER,
  };
  const least = [intrinsicGas(unlimited, fork), floorGas(unlimited, fork)];
  const gasLimit = (least.sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n) + gasOf(random);
  return { seed, fork, accounts, transaction: { ...unlimited, gasLimit } };
}

function storageOf(random: Random): Pick<CaseAccount, "storage"> {
  const slots = [0, 1, 2].filter(() => random.chance(0.5));
  return { storage: Object.fromEntries(slots.map((index) => [slot(index), 1n + BigInt(index)])) };
}

function delegation(random: Random): Uint8Array {
  const target = random.pick([FIRST, SECOND, THIRD, RICH, PRECOMPILES[1] as Address]);
  return hexToBytes(`ef0100${target.slice(2)}`);
}

function realInput(random: Random): Uint8Array {
  const { selectors } = JSON.parse(
    readFileSync(join(ROOT, "test/performance/evm/loops.json"), "utf8"),
  );
  const selector = random.pick(Object.values(selectors) as string[]);
  return hexToBytes(`${selector}${random.below(12).toString(16).padStart(64, "0")}`);
}

/** The available gas; often not enough. */
function gasOf(random: Random): bigint {
  const gas = random.weighed<() => number>([
    [1, () => random.below(300)],
    [2, () => random.below(30_000)],
    [3, () => 50_000 + random.below(100_000)],
    [3, () => 250_000],
    [0.3, () => 3_000_000],
  ])();
  return BigInt(gas);
}

function feesOf(random: Random, fork: Fork, isAuthorizing: boolean) {
  const priced = { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };
  const market = { gasPrice: undefined, maxFeePerGas: 20n, maxPriorityFeePerGas: 2n };
  if (isAuthorizing) return { type: 4, ...market } as const;
  if (isAtLeast(fork, "london") && random.chance(0.3)) return { type: 2, ...market } as const;
  if (isAtLeast(fork, "berlin") && random.chance(0.3)) {
    return { type: 1, gasPrice: GAS_PRICE, ...priced } as const;
  }
  return { type: 0, gasPrice: GAS_PRICE, ...priced } as const;
}

function authorizations(random: Random, fork: Fork): Authorization[] {
  if (!isAtLeast(fork, "prague") || random.chance(0.8)) return [];
  const chainId = random.pick([0n, 1n, 2n]);
  const address = random.pick([FIRST, SECOND, THIRD, MISSING, `0x${"00".repeat(20)}` as Address]);
  const nonce = BigInt(random.below(3));
  return [signAuthorization({ chainId, address, nonce }, hexToBytes(KEY))];
}

function slot(index: number): Hash {
  return `0x${index.toString(16).padStart(64, "0")}`;
}

/**
 * The block of all cases, which has capacity for a transaction. Block hashes are those of geth's
 * state tests.
 */
export function blockOf(fork: Fork, { gasLimit } = { gasLimit: 0n }): BlockContext {
  return {
    fork,
    number: 300n,
    timestamp: 1_000_000n,
    gasLimit: gasLimit > BLOCK_GAS ? gasLimit : BLOCK_GAS,
    difficulty: isAtLeast(fork, "paris") ? 0n : 0x20000n,
    mixHash: `0x${"77".repeat(32)}`,
    feeRecipient: COINBASE,
    ...(isAtLeast(fork, "london") ? { baseFeePerGas: BASE_FEE } : {}),
    ...(isAtLeast(fork, "cancun") ? { blobBaseFee: 1n } : {}),
    hashOf: (number) => keccakHash(Buffer.from(String(number))),
  };
}

/** Runs a case on an EVM, on a separate state. */
export async function runCase(
  { fork, accounts, transaction }: EvmCase,
  { evm, node }: { readonly evm: Evm; readonly node: TestNode },
): Promise<CaseResult> {
  const { states } = node.node.blocks.simulation;
  const state = states.open({ stateRoot: EMPTY_ROOT });
  fill(state, accounts);
  const result = await evm.runTransaction(transaction, {
    block: blockOf(fork, transaction),
    state,
  });
  return { ...summaryOf(result), root: states.update(state).root };
}

export function fill(state: WorldState, accounts: EvmCase["accounts"]): void {
  for (const [name, account] of Object.entries(accounts)) {
    const { balance = 0n, nonce = 0n, code, storage = {} } = account;
    const address = name as Address;
    state.setAccount(address, { balance, nonce });
    if (code !== undefined) state.setCode(address, code);
    for (const [key, value] of Object.entries(storage)) {
      state.setStorage(address, key as Hash, value);
    }
  }
}

function summaryOf(result: EvmResult): Omit<CaseResult, "root"> {
  const { outcome, gasUsed, returnValue, createdAddress, logs } = result;
  return {
    outcome,
    gasUsed,
    returnValue: toHex(returnValue),
    createdAddress,
    logs: keccakHash(
      encodeRlp(
        logs.map(({ address, topics, data }) => [
          hexToBytes(address),
          topics.map((topic) => hexToBytes(topic)),
          data,
        ]),
      ),
    ),
  };
}

/** geth's names of the forks in state tests. */
const GETH_NAMES: Readonly<Partial<Record<Fork, string>>> = {
  frontier: "Frontier",
  homestead: "Homestead",
  tangerineWhistle: "EIP150",
  spuriousDragon: "EIP158",
  byzantium: "Byzantium",
  constantinople: "Constantinople",
  petersburg: "ConstantinopleFix",
  istanbul: "Istanbul",
  berlin: "Berlin",
  london: "London",
  paris: "Merge",
  shanghai: "Shanghai",
  cancun: "Cancun",
  prague: "Prague",
  osaka: "Osaka",
};

/** A case as a state test, which expects a result. */
export function toStateTest({ fork, accounts, transaction }: EvmCase, expected: CaseResult) {
  const { type, to, data, value, gasLimit, gasPrice, accessList, authorizationList } = transaction;
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const block = blockOf(fork, transaction);
  return {
    env: {
      currentCoinbase: COINBASE,
      currentDifficulty: toQuantity(block.difficulty),
      currentGasLimit: toQuantity(block.gasLimit),
      currentNumber: toQuantity(block.number),
      currentTimestamp: toQuantity(block.timestamp),
      currentBaseFee: toQuantity(BASE_FEE),
      // With a random value geth treats London as the merge.
      ...(isAtLeast(fork, "paris") ? { currentRandom: block.mixHash } : {}),
      currentExcessBlobGas: "0x0",
    },
    pre: Object.fromEntries(
      Object.entries(accounts).map(([address, account]) => [address, toAlloc(account)]),
    ),
    transaction: {
      nonce: "0x0",
      gasLimit: [toQuantity(gasLimit)],
      to: to ?? "",
      value: [toQuantity(value)],
      data: [toHex(data)],
      secretKey: KEY,
      ...(gasPrice === undefined
        ? {
            maxFeePerGas: toQuantity(maxFeePerGas ?? 0n),
            maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas ?? 0n),
          }
        : { gasPrice: toQuantity(gasPrice) }),
      ...(type > 0 ? { accessLists: [accessList] } : {}),
      ...(type === 4 ? { authorizationList: authorizationList.map(toGethAuthorization) } : {}),
    },
    post: {
      [GETH_NAMES[fork] as string]: [
        { hash: expected.root, logs: expected.logs, indexes: { data: 0, gas: 0, value: 0 } },
      ],
    },
  };
}

function toAlloc({ balance = 0n, nonce = 0n, code, storage = {} }: CaseAccount) {
  return {
    balance: toQuantity(balance),
    nonce: toQuantity(nonce),
    code: toHex(code ?? new Uint8Array()),
    storage: Object.fromEntries(
      Object.entries(storage).map(([key, value]) => [key, slot(Number(value))]),
    ),
  };
}

function toGethAuthorization({ chainId, address, nonce, yParity, r, s }: Authorization) {
  return {
    chainId: toQuantity(chainId),
    address,
    nonce: toQuantity(nonce),
    v: toQuantity(yParity),
    yParity: toQuantity(yParity),
    r: toQuantity(r),
    s: toQuantity(s),
  };
}

export { CHAIN_ID };
