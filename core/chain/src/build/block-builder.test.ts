import type { Address, ConsensusEngine, SealedHeader } from "@plinth/core";
import { createMemoryStorageDriver, encodeBlock, keccakHeader, loadCrypto } from "@plinth/core";
import { decodeTransaction, signTransaction } from "@plinth/core/blocks";
import { readForks } from "@plinth/core/rules";
import { createTestEvm, FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { Blockchain } from "../blockchain/blockchain.js";
import { EvmPool } from "../evm/evm-pool.js";
import { buildGenesisBlock } from "../genesis/genesis-block.js";
import { StateStore } from "../state/state-store.js";

const BEACON_ROOTS: Address = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";
const BLOCK_HASHES: Address = "0x0000f90827f1c53a10cb7a02335b175320002935";
const WITHDRAWALS: Address = "0x00000961ef480eb55e80d19ad83579a64c007002";
const SYSTEM: Address = "0xfffffffffffffffffffffffffffffffffffffffe";
const PAYEE: Address = `0x${"ab".repeat(20)}`;
/** Stores the first word of its calldata in slot 0. */
const KEEP = "0x60003560005500";
/** Returns three bytes. */
const ANSWER = "0x62aabbcc6000526003601df3";
const SLOT = `0x${"00".repeat(32)}` as const;
const ROOT = `0x${"77".repeat(32)}` as const;

beforeAll(async () => {
  await loadCrypto();
});

describe("a block that is built", () => {
  it("calls the system contracts, pays withdrawals and has requests", async () => {
    const { blocks, genesis } = await openChain({ londonBlock: 0, pragueTime: 0 });
    const withdrawals = [
      { index: 0n, validatorIndex: 1n, address: PAYEE, amountGwei: 3n },
      { index: 1n, validatorIndex: 1n, address: SYSTEM, amountGwei: 0n },
    ];

    const built = await blocks.build({
      timestamp: 12n,
      candidates: [],
      withdrawals,
      parentBeaconBlockRoot: ROOT,
    });
    const { block } = await blocks.submit(built);

    const state = blocks.stateAt(block.header);
    expect(state.getStorage(BEACON_ROOTS, SLOT)).toBe(BigInt(ROOT));
    expect(state.getStorage(BLOCK_HASHES, SLOT)).toBe(BigInt(genesis.hash));
    expect(state.findAccount(PAYEE)?.balance).toBe(3_000_000_000n);
    expect(state.findAccount(SYSTEM)).toBeUndefined();
    expect(built.execution.requests).toEqual([Buffer.of(1, 0xaa, 0xbb, 0xcc)]);
    expect(block.body.withdrawals).toEqual(withdrawals);
    await expect(blocks.rerun(block.header.hash)).resolves.toBeUndefined();
  });

  it("is accepted unchanged by another node", async () => {
    const config = { londonBlock: 0, osakaTime: 0 };
    const { blocks } = await openChain(config);
    const { block } = await blocks.build({ timestamp: 12n, candidates: [] });

    const { blocks: others } = await openChain(config);

    expect((await others.import(block, { origin: "peer" })).placement).toBe("head");
  });

  it("skips a transaction that would exceed 8 MiB and keeps it for later (EIP-7934)", async () => {
    const { blocks } = await openChain({ londonBlock: 0, osakaTime: 0 });
    const large = [0n, 1n, 2n, 3n, 4n, 5n].map((nonce) => aTransaction(nonce, 1_560_000));
    const small = aTransaction(0n, 100, OTHER_KEY);

    const { block, leftOut } = await blocks.build({
      timestamp: 12n,
      candidates: [...large, small],
    });

    expect(block.body.transactions).toEqual([...large.slice(0, 5), small]);
    expect(encodeBlock(block).length).toBeLessThanOrEqual(8_388_608);
    expect(leftOut).toEqual([]);
  });

  it.each([
    [{ zeroBaseFee: true }, 0n],
    [{ fixedBaseFee: true }, 1000n],
    [{}, 875n],
  ])("has the base fee of its chain: %j", async (config, fee) => {
    const { blocks } = await openChain({ londonBlock: 0, ...config });

    const { block } = await blocks.build({ timestamp: 12n, candidates: [] });

    expect(block.header.baseFeePerGas).toBe(fee);
  });
});

const [KEY, OTHER_KEY] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const RICH = "0xffffffffffffffffffffffff";

/** A transaction with this many zero bytes. */
function aTransaction(nonce: bigint, bytes: number, key = KEY) {
  const fees = { maxFeePerGas: 1000n, maxPriorityFeePerGas: 0n };
  const data = new Uint8Array(bytes);
  const fields = { chainId: 1n, nonce, gasLimit: 16_000_000n, to: PAYEE, value: 0n, data, ...fees };
  return decodeTransaction(signTransaction(fields, key));
}

const engine: ConsensusEngine = {
  finality: "eventual",
  hashHeader: (header) => keccakHeader(header),
  author: ({ coinbase }) => coinbase,
  feeRecipient: ({ coinbase }) => coinbase,
  verifyHeader: () => {},
  prepareHeader: (draft) => draft,
  forkField: () => "optional",
};

async function openChain(config: object): Promise<{ blocks: Blockchain; genesis: SealedHeader }> {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const states = new StateStore(store);
  const forks = readForks(config);
  const evm = await createTestEvm({ chainId: 1n });
  const code = { [BEACON_ROOTS]: KEEP, [BLOCK_HASHES]: KEEP, [WITHDRAWALS]: ANSWER };
  const json = {
    difficulty: "0x1",
    gasLimit: "0x10000000",
    baseFeePerGas: "0x3e8",
    alloc: {
      ...Object.fromEntries(Object.entries(code).map(([address, code]) => [address, { code }])),
      [aTransaction(0n, 0).sender]: { balance: RICH },
      [aTransaction(0n, 0, OTHER_KEY).sender]: { balance: RICH },
    },
  };
  const block = await buildGenesisBlock(json, { forks, store, origin: "test" });
  const clock = new FakeClock(0);
  const evms = { evm, callEvm: evm, pluginEvm: evm, replayEvms: new EvmPool(async () => evm, 1) };
  const settings = { store, states, forks, ...evms, engine, clock };
  const blocks = await Blockchain.open(settings, block);
  return { blocks, genesis: blocks.head() };
}
