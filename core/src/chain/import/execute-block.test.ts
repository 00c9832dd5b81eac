import { signTransaction, transfer } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeTransaction } from "../../blocks/transaction.js";
import type { BlockContext, Evm } from "../../evm/evm.js";
import { StorageError } from "../../kernel/errors.js";
import { loadCrypto } from "../../primitives/crypto.js";
import { findBytes } from "../../primitives/hex.js";
import { createMemoryStorageDriver } from "../../storage/memory-store.js";
import { readForks } from "../forks.js";
import { StateStore } from "../state/state-store.js";
import { EMPTY_ROOT } from "../state/trie.js";
import { BlockExecution } from "./execute-block.js";

beforeAll(async () => {
  await loadCrypto();
});

describe("a transaction that did not run", () => {
  it("breaks the block", async () => {
    await expect(runWith(new Error("nonce too high"))).rejects.toThrow(
      "transaction 0 cannot run: nonce too high",
    );
  });

  it("says nothing about the block when the disk failed", async () => {
    const fault = new StorageError("STORAGE_DAMAGED", { message: "the disk cannot be read" });

    await expect(runWith(fault)).rejects.toBe(fault);
  });
});

/** Runs a transaction on an EVM that fails. */
async function runWith(error: Error): Promise<unknown> {
  const states = new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
  const evm: Pick<Evm, "runTransaction"> = { runTransaction: () => Promise.reject(error) };
  const block: BlockContext = {
    fork: "london",
    number: 1n,
    timestamp: 1n,
    gasLimit: 30_000_000n,
    difficulty: 1n,
    mixHash: EMPTY_ROOT,
    feeRecipient: `0x${"00".repeat(20)}`,
    baseFeePerGas: 7n,
    hashOf: () => EMPTY_ROOT,
  };
  const forks = readForks({ londonBlock: 0 });
  const state = states.open(EMPTY_ROOT);
  const execution = new BlockExecution({ evm: evm as Evm, states, state, block, forks });
  const signed = await signTransaction(transfer());
  return execution.run(decodeTransaction(findBytes(signed) ?? new Uint8Array()));
}
