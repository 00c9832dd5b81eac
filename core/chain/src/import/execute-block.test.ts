import {
  createMemoryStorageDriver,
  EMPTY_ROOT,
  hexToBytes,
  loadCrypto,
  StorageError,
} from "@plinth/core";
import { decodeTransaction } from "@plinth/core/blocks";
import type { BlockContext, Evm, Fork } from "@plinth/core/evm";
import { readForks } from "@plinth/core/rules";
import { ALICE, signTransaction, type TransactionFields, transfer } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "../state/state-store.js";
import { BlockExecution, type ExecutionContext } from "./execute-block.js";

beforeAll(async () => {
  await loadCrypto();
});

const FUNDED = 10n ** 18n;

describe("a transaction that did not run", () => {
  it("makes the block invalid if its sender may not send it", async () => {
    const run = runWith({ transaction: transfer({ nonce: 3 }) });

    await expect(run).rejects.toMatchObject({ code: "BLOCK_INVALID", rule: "transaction" });
  });

  it("is a fault of the node if the EVM failed", async () => {
    const run = runWith({ fails: new RangeError("Array buffer allocation failed") });

    await expect(run).rejects.toMatchObject({
      code: "EXECUTION_FAULT",
      message: expect.stringContaining("Array buffer allocation failed"),
    });
  });

  it("proves nothing about the block if the disk failed", async () => {
    const fault = new StorageError("STORAGE_DAMAGED", { message: "the disk cannot be read" });

    await expect(runWith({ fails: fault })).rejects.toBe(fault);
  });

  it("restores the state exactly, whatever the EVM had changed", async () => {
    const { execution, state, states } = await anExecution(new Error("halfway"));
    const before = states.update(state).root;

    await expect(execution.run(await decode(transfer()))).rejects.toThrow("halfway");

    expect(states.update(state).root).toBe(before);
    expect(state.findAccount(ALICE.address)).toMatchObject({ nonce: 0n, balance: FUNDED });
    expect((await execution.finish()).receipts).toEqual([]);
  });
});

async function runWith(given: {
  readonly fails?: Error;
  readonly transaction?: TransactionFields;
}): Promise<unknown> {
  const { execution } = await anExecution(given.fails ?? new Error("not reached"));
  return execution.run(await decode(given.transaction ?? transfer()));
}

async function decode(fields: TransactionFields) {
  return decodeTransaction(hexToBytes(await signTransaction(fields)));
}

/**
 * A block on an EVM that charges fees, goes two frames deep, changes an account there and fails.
 */
async function anExecution(
  fails: Error,
  {
    fork = "london",
    engine = {},
  }: Partial<Pick<ExecutionContext, "engine">> & { fork?: Fork } = {},
) {
  const states = new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
  const evm: Pick<Evm, "runTransaction"> = {
    async runTransaction({ sender }, { state }) {
      state.checkpoint();
      state.setAccount(sender, { nonce: 1n, balance: 1n });
      state.checkpoint();
      state.setStorage(sender, `0x${"00".repeat(32)}`, 7n);
      throw fails;
    },
  };
  const block: BlockContext = {
    fork,
    number: 1n,
    timestamp: 1n,
    gasLimit: 30_000_000n,
    difficulty: 1n,
    mixHash: EMPTY_ROOT,
    feeRecipient: `0x${"00".repeat(20)}`,
    baseFeePerGas: 7n,
    hashOf: () => EMPTY_ROOT,
  };
  const forks = readForks({ chainId: 1337, londonBlock: 0 });
  const state = states.open({ stateRoot: EMPTY_ROOT });
  state.setAccount(ALICE.address, { balance: FUNDED });
  const execution = new BlockExecution({
    evm: evm as Evm,
    states,
    state,
    block,
    forks,
    engine,
  });
  return { execution, state, states };
}

describe("a transaction above the gas cap", () => {
  it.each<[string, Fork, bigint | undefined, bigint, string | undefined]>([
    ["under a fork without a limit", "prague", undefined, 2n ** 24n + 1n, undefined],
    ["under Osaka", "osaka", undefined, 2n ** 24n + 1n, "expected at most 16777216"],
    ["if the engine allows more", "osaka", 20_000_000n, 20_000_000n, undefined],
    ["if the engine allows any", "osaka", 0n, 29_000_000n, undefined],
    ["if the engine allows less", "london", 50_000n, 50_001n, "expected at most 50000"],
  ])("makes the block invalid: %s", async (_, fork, limit, gasLimit, problem) => {
    const engine = { maxTransactionGas: () => limit };
    const { execution } = await anExecution(new Error("it ran"), { fork, engine });
    const run = execution.run(await decode(transfer({ gasLimit, gasPrice: 7n })));

    await expect(run).rejects.toThrow(problem ?? "it ran");
  });
});

describe("a transaction of another chain", () => {
  it("makes the block invalid (EIP-155)", async () => {
    const run = runWith({ transaction: transfer({ chainId: 5n }) });

    await expect(run).rejects.toMatchObject({ code: "BLOCK_INVALID", rule: "transaction" });
    await expect(run).rejects.toThrow("chainId: 5, expected 1337");
  });
});
