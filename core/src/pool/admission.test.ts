import { describe, expect, it } from "vitest";
import { InvalidTransaction } from "../blocks/errors.js";
import type { Transaction } from "../blocks/transaction.js";
import type { TransactionFields } from "../blocks/transaction-fields.js";
import type { StateReader } from "../evm/world-state.js";
import type { Address, Hash } from "../primitives/hex.js";
import { verifyAdmission } from "./admission.js";

const SENDER: Address = `0x${"aa".repeat(20)}`;
const BLOB: Hash = `0x01${"00".repeat(31)}`;
const BALANCE = 10n ** 9n;
const RULES = { chainId: 1337n, blockGasLimit: 100_000n, minFee: 7n, maxNonceGap: 3 };

type Changes = Partial<TransactionFields>;

/** A transfer that every rule allows: type 2, or with a gas price an old one. */
function aTransaction(changes: Changes = {}): Transaction {
  const fees =
    changes.gasPrice === undefined ? { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n } : {};
  return {
    sender: SENDER,
    chainId: 1337n,
    nonce: 5n,
    gasLimit: 21_000n,
    to: SENDER,
    value: 0n,
    data: new Uint8Array(),
    accessList: [],
    blobVersionedHashes: [],
    authorizationList: [],
    ...fees,
    ...changes,
  } as unknown as Transaction;
}

/** One whose signature nobody can have made. */
function aForgery(error: Error): Transaction {
  return Object.defineProperty(aTransaction(), "sender", {
    get: () => {
      throw error;
    },
  });
}

function aState(account?: { readonly nonce: bigint; readonly balance: bigint }): StateReader {
  return {
    findAccount: (address) =>
      account === undefined || address !== SENDER ? undefined : { ...account, codeHash: "0x" },
    getCode: () => new Uint8Array(),
    getStorage: () => 0n,
  };
}

const verify = (transaction: Transaction, rules: Partial<typeof RULES> = {}) =>
  verifyAdmission(transaction, aState({ nonce: 5n, balance: BALANCE }), { ...RULES, ...rules });

describe("the admission of a transaction", () => {
  it.each<[string, Changes]>([
    ["of a plain transfer", {}],
    ["without replay protection", { chainId: undefined, gasPrice: 7n }],
    ["with the gas of a whole block", { gasLimit: 100_000n }],
    ["that pays the base fee and no more", { maxFeePerGas: 7n, maxPriorityFeePerGas: 0n }],
    ["whose tip is all it pays", { maxFeePerGas: 10n, maxPriorityFeePerGas: 10n }],
    ["with a gas price at the base fee", { gasPrice: 7n }],
    ["as far ahead as allowed", { nonce: 8n }],
    ["that spends the whole balance", { value: BALANCE - 210_000n }],
  ])("is given to one %s", (_, changes) => {
    expect(() => verify(aTransaction(changes))).not.toThrow();
  });

  it.each<[string, string, Changes]>([
    ["wrong-chain", "Wrong chainId", { chainId: 1n }],
    ["gas-limit", "Transaction gas limit exceeds block gas limit", { gasLimit: 100_001n }],
    ["intrinsic-gas", "Intrinsic gas exceeds gas limit", { gasLimit: 20_999n }],
    [
      "max-fee-below-priority",
      "Max priority fee per gas exceeds max fee per gas",
      { maxFeePerGas: 10n, maxPriorityFeePerGas: 11n },
    ],
    ["gas-price-too-low", "Gas price below configured minimum gas price", { maxFeePerGas: 6n }],
    ["gas-price-too-low", "Gas price below configured minimum gas price", { gasPrice: 6n }],
    ["nonce-too-low", "Nonce too low", { nonce: 4n }],
    ["nonce-too-far", "Transaction nonce is too distant from current sender nonce", { nonce: 9n }],
    ["upfront-cost", "Upfront cost exceeds account balance", { value: BALANCE - 209_999n }],
    ["upfront-cost", "Upfront cost exceeds account balance", { gasPrice: 50_000n }],
  ])("is refused as %s: %s", (reason, message, changes) => {
    expect(() => verify(aTransaction(changes))).toThrow(
      expect.objectContaining({ code: "TRANSACTION_REJECTED", reason, message }),
    );
  });

  it("is refused to replay protection on a chain without an id", () => {
    const rules = { ...RULES, chainId: undefined };

    expect(() => verifyAdmission(aTransaction(), aState(), rules)).toThrow(
      expect.objectContaining({ reason: "wrong-chain", message: "ChainId not supported" }),
    );
  });

  it("is refused to a signature nobody can have made, which is the cause", () => {
    const cause = new InvalidTransaction({ message: "transaction.signature: no such point" });

    expect(() => verify(aForgery(cause))).toThrow(
      expect.objectContaining({ reason: "invalid-signature", message: "Invalid signature", cause }),
    );
  });

  it("leaves a fault that is not the transaction's as it is", () => {
    const fault = new TypeError("crypto is not loaded");

    expect(() => verify(aForgery(fault))).toThrow(fault);
  });

  it("asks for no fee where there is no base fee", () => {
    const rules = { ...RULES, minFee: 0n };
    const state = aState({ nonce: 5n, balance: 0n });

    expect(() => verifyAdmission(aTransaction({ gasPrice: 0n }), state, rules)).not.toThrow();
  });

  it("takes a missing account for an empty one", () => {
    const free = aTransaction({ gasPrice: 0n, nonce: 0n });
    const rules = { ...RULES, minFee: 0n };

    expect(() => verifyAdmission(free, aState(), rules)).not.toThrow();
    expect(() => verifyAdmission(aTransaction({ nonce: 0n }), aState(), rules)).toThrow(
      expect.objectContaining({ reason: "upfront-cost" }),
    );
  });

  it("counts the gas of blobs into the upfront cost (EIP-4844)", () => {
    const blobs = { maxFeePerBlobGas: 3n, blobVersionedHashes: [BLOB, BLOB] };
    const left = BALANCE - 210_000n - 2n * 131_072n * 3n;

    expect(() => verify(aTransaction({ ...blobs, value: left }))).not.toThrow();
    expect(() => verify(aTransaction({ ...blobs, value: left + 1n }))).toThrow(
      expect.objectContaining({ reason: "upfront-cost" }),
    );
  });
});
