import { readFileSync } from "node:fs";
import type { Header } from "@plinth/core";
import {
  type Address,
  createMemoryStorageDriver,
  type Hash,
  hexToBytes,
  InvalidBlock,
  loadCrypto,
  toHex,
} from "@plinth/core";
import { decodeTransaction } from "@plinth/core/blocks";
import type { BlockContext, Evm } from "@plinth/core/evm";
import { type ForkSchedule, nextExcessBlobGas, readForks } from "@plinth/core/rules";
import { createTestEvm } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { buildGenesisBlock } from "../genesis/genesis-block.js";
import { StateStore } from "../state/state-store.js";
import { blobFeeOf } from "./blob-gas.js";
import { BlockExecution, type Execution } from "./execute-block.js";
import { MalformedDeposit } from "./requests.js";

/** The output of `npm run vectors`: a block, and the result of geth's `evm t8n`. */
interface Vector {
  readonly name: string;
  readonly fork: keyof typeof CONFIGS;
  readonly env: Readonly<Record<string, string>> & {
    readonly blockHashes: Readonly<Record<string, Hash>>;
  };
  readonly alloc: object;
  /** Missing system contracts. */
  readonly without: readonly Address[];
  readonly transactions: readonly Hash[];
  readonly result: VectorResult;
}

interface VectorResult {
  /** Why the whole block is invalid; then there are no other fields. */
  readonly invalid?: string;
  readonly rejected?: readonly { readonly index: number }[];
  readonly [field: string]: unknown;
}

interface VectorFile {
  readonly contracts: Readonly<Record<Address, object>>;
  readonly vectors: readonly Vector[];
}

const OSAKA = { londonBlock: 0, osakaTime: 0 };
const CONFIGS = {
  Cancun: { londonBlock: 0, cancunTime: 0 },
  Prague: { londonBlock: 0, pragueTime: 0 },
  Osaka: OSAKA,
  // As in geth's own tests, whose numbers differ from mainnet.
  BPO1: {
    ...OSAKA,
    bpo1Time: 0,
    blobSchedule: { bpo1: { target: 9, max: 14, baseFeeUpdateFraction: 8_832_827 } },
  },
};

/** Rules of EIPs that geth 1.16 does not check, with what the block violates. */
const BEYOND_GETH: Readonly<Record<string, string>> = {
  "EIP-6110: a deposit with a wrong offset": "deposit-event",
  "EIP-7002: no contract": "system-call",
  "EIP-7251: no contract": "system-call",
};

/** Omitted from vectors. */
const NO_LOGS = { logsBloom: `0x${"00".repeat(256)}` };
let evm: Evm;

beforeAll(async () => {
  await loadCrypto();
  evm = await createTestEvm({ chainId: 1n });
});

describe.each(["cancun", "prague", "osaka"])("vectors of %s", (name) => {
  const { vectors, contracts } = readVectors(name);

  it.each(vectors.map((vector) => [vector.name, vector] as const))("%s", async (_, vector) => {
    const expected = expectedOf(vector);

    if ("rule" in expected) await expect(run(vector, contracts)).rejects.toMatchObject(expected);
    else expect(await run(vector, contracts)).toEqual(expected);
  });
});

function readVectors(name: string): VectorFile {
  const file = new URL(`../../../../test/vectors/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The violated rule, or the result of the block. */
function expectedOf({ name, result }: Vector): object {
  const { invalid, rejected = [], ...expected } = result;
  const isDeposit = invalid?.includes("logs") === true;
  const rule = BEYOND_GETH[name] ?? (isDeposit ? "deposit-event" : "system-call");
  if (invalid !== undefined || name in BEYOND_GETH) return { rule };
  const indexes = { rejected: rejected.map(({ index }) => index) };
  return { ...NO_LOGS, ...expected, ...indexes };
}

/**
 * Executes the block as an import does, but continues after a transaction that is rejected before
 * it runs.
 */
async function run(vector: Vector, contracts: VectorFile["contracts"]): Promise<object> {
  const forks = readForks(CONFIGS[vector.fork]);
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const states = new StateStore(store);
  const system = Object.entries(contracts).filter(
    ([address]) => !vector.without.includes(address as Address),
  );
  const alloc = { ...Object.fromEntries(system), ...vector.alloc };
  const genesis = await buildGenesisBlock({ alloc }, { forks, store, origin: vector.name });
  const { block, excessBlobGas, begin } = blockOf(vector, forks);
  const state = states.open(genesis.header);
  const execution = new BlockExecution({ evm, states, state, block, forks, engine: {} });
  await execution.begin(begin as Header);
  const rejected: number[] = [];
  for (const [index, raw] of vector.transactions.entries()) {
    const transaction = decodeTransaction(hexToBytes(raw));
    await execution.run(transaction).catch((error) => {
      if (error instanceof MalformedDeposit) throw error;
      expect(error).toBeInstanceOf(InvalidBlock);
      rejected.push(index);
    });
  }
  await execution.end([]);
  return {
    ...resultOf(await execution.finish()),
    excessBlobGas: quantity(excessBlobGas),
    rejected,
  };
}

function resultOf({ receipts, requests, ...execution }: Execution): object {
  return {
    stateRoot: execution.state.root,
    receiptsRoot: execution.receiptsRoot,
    logsBloom: toHex(execution.logsBloom),
    gasUsed: quantity(execution.gasUsed),
    blobGasUsed: quantity(execution.blobGasUsed),
    requestsHash: execution.requestsHash,
    // The tool omits the type prefix.
    requests: requests.map((request) => toHex(request.subarray(1))),
    receipts: receipts.map(({ status, gasUsed = 0n }) => ({
      status: `0x${status}`,
      gasUsed: quantity(gasUsed),
    })),
  };
}

function blockOf({ env }: Vector, forks: ForkSchedule) {
  const number = BigInt(env.currentNumber ?? 0);
  const timestamp = BigInt(env.currentTimestamp ?? 0);
  const point = { number, timestamp };
  const find = (name: string) => (env[name] === undefined ? undefined : BigInt(env[name]));
  const parent = {
    blobGasUsed: find("parentBlobGasUsed") ?? 0n,
    excessBlobGas: find("parentExcessBlobGas") ?? 0n,
    baseFeePerGas: find("parentBaseFee") ?? 0n,
  };
  const excessBlobGas =
    find("currentExcessBlobGas") ?? nextExcessBlobGas(parent, forks.blobsAt(point));
  const block: BlockContext = {
    ...point,
    fork: forks.at(point),
    gasLimit: BigInt(env.currentGasLimit ?? 0),
    difficulty: 0n,
    mixHash: env.currentRandom as Hash,
    feeRecipient: env.currentCoinbase as Address,
    baseFeePerGas: BigInt(env.currentBaseFee ?? 0),
    blobBaseFee: blobFeeOf({ ...point, excessBlobGas } as never, forks) ?? 0n,
    hashOf: (wanted) =>
      wanted < number && wanted >= number - 256n
        ? (env.blockHashes[String(wanted)] as Hash)
        : `0x${"00".repeat(32)}`,
  };
  const parentHash = env.blockHashes[String(number - 1n)] as Hash;
  const parentBeaconBlockRoot = env.parentBeaconBlockRoot as Hash;
  return { block, excessBlobGas, begin: { parentHash, parentBeaconBlockRoot } };
}

const quantity = (value: bigint) => `0x${value.toString(16)}`;
