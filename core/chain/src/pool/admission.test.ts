import type { Address, Hash, StateReader, Transaction } from "@plinth/core";
import { InvalidTransaction } from "@plinth/core";
import type { TransactionFields } from "@plinth/core/blocks";
import { isDelegation } from "@plinth/core/rules";
import { describe, expect, it } from "vitest";
import { type AdmissionRules, verifyForm, verifyOffer, verifySender } from "./admission.js";

const SENDER: Address = `0x${"aa".repeat(20)}`;
const BLOB: Hash = `0x01${"00".repeat(31)}`;
const BALANCE = 10n ** 9n;
const RULES: AdmissionRules = {
  chainId: 1337n,
  fork: "prague",
  blobs: { target: 1n, max: 2n, updateFraction: 1n, hasReservePrice: false },
  blockGasLimit: 100_000n,
  maxGas: undefined,
  minFee: 7n,
  maxFee: 1_000_000n,
  needsChainId: false,
};

type Changes = Partial<TransactionFields>;

/** A transfer that every rule allows: type 2, or legacy if a gas price is given. */
function aTransaction(changes: Changes = {}): Transaction {
  const fees =
    changes.gasPrice === undefined ? { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n } : {};
  return {
    type: changes.gasPrice === undefined ? 2 : 0,
    s: 1n,
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

/** One with an impossible signature. */
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

const RICH = { nonce: 5n, balance: BALANCE };

function verify(transaction: Transaction, rules: Partial<AdmissionRules> = {}, account = RICH) {
  verifyOffer(transaction, { ...RULES, ...rules });
  verifyForm(transaction, { ...RULES, ...rules });
  verifySender(transaction, aState(account));
}

describe("the admission of a transaction", () => {
  it.each<[string, Changes]>([
    ["of a plain transfer", {}],
    ["without replay protection", { chainId: undefined, gasPrice: 7n }],
    ["with the gas of a whole block", { gasLimit: 100_000n }],
    ["that pays exactly the base fee", { maxFeePerGas: 7n, maxPriorityFeePerGas: 0n }],
    ["with a tip equal to its fee", { maxFeePerGas: 10n, maxPriorityFeePerGas: 10n }],
    ["with a gas price at the base fee", { gasPrice: 7n }],
    ["with a nonce ahead of the account", { nonce: 8n }],
    [
      "with all blobs of a block",
      { type: 3, maxFeePerBlobGas: 1n, blobVersionedHashes: [BLOB, BLOB] },
    ],
    ["that spends the whole balance", { value: BALANCE - 210_000n }],
  ])("is granted to one %s", (_, changes) => {
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
    ["fee-cap", "Transaction fee cap exceeded", { maxFeePerGas: 1_000_001n }],
    ["invalid-signature", "Invalid signature", { s: 2n ** 255n }],
    [
      "blob-count",
      "Invalid blob count (blob transactions must have at least one blob)",
      { type: 3, blobVersionedHashes: [] },
    ],
    [
      "invalid-blobs",
      "blobs failed kzg validation",
      { type: 3, blobVersionedHashes: [`0x02${"00".repeat(31)}`] },
    ],
    ["blob-gas", "Total blob gas too high", { type: 3, blobVersionedHashes: [BLOB, BLOB, BLOB] }],
    [
      "empty-authorization-list",
      "transaction.authorizationList: empty",
      { type: 4, authorizationList: [] },
    ],
    [
      "init-code",
      "transaction.data: 49153 bytes of init code, expected at most 49152",
      { to: undefined, data: new Uint8Array(49_153) },
    ],
    // EIP-7623: 100 non-zero bytes cost at least 40 each.
    [
      "intrinsic-gas",
      "Intrinsic gas exceeds gas limit",
      { data: new Uint8Array(100).fill(1), gasLimit: 24_999n },
    ],
    ["upfront-cost", "Upfront cost exceeds account balance", { value: BALANCE - 209_999n }],
    ["upfront-cost", "Upfront cost exceeds account balance", { gasPrice: 50_000n }],
  ])("is denied as %s: %s", (reason, message, changes) => {
    expect(() => verify(aTransaction(changes))).toThrow(
      expect.objectContaining({ code: "TRANSACTION_REJECTED", reason, message }),
    );
  });

  it.each<[string, string, Partial<AdmissionRules>, Changes]>([
    ["chain-id-unsupported", "ChainId not supported", { chainId: undefined }, {}],
    ["chain-id-missing", "ChainId is required", { needsChainId: true }, { chainId: undefined }],
    ["type", "Invalid transaction type", { fork: "berlin" }, {}],
    [
      "gas-cap",
      "Transaction gas limit cap exceeded",
      { maxGas: 2n ** 24n, blockGasLimit: 2n ** 30n },
      { gasLimit: 2n ** 24n + 1n },
    ],
  ])("is denied under other rules as %s: %s", (reason, message, rules, changes) => {
    expect(() => verify(aTransaction(changes), rules)).toThrow(
      expect.objectContaining({ reason, message }),
    );
  });

  it("reports the first of several faults", () => {
    const faults = { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n, chainId: 5n, gasLimit: 1n };
    const reasonOf = (changes: Changes) => {
      try {
        verify(aTransaction(changes), {}, { nonce: 9n, balance: 0n });
      } catch (error) {
        return Reflect.get(Object(error), "reason");
      }
    };

    expect(reasonOf(faults)).toBe("gas-price-too-low");
    expect(reasonOf({ ...faults, maxFeePerGas: 10n, maxPriorityFeePerGas: 11n })).toBe(
      "wrong-chain",
    );
    expect(reasonOf({ maxPriorityFeePerGas: 11n, gasLimit: 1n })).toBe("max-fee-below-priority");
    expect(reasonOf({ gasLimit: 1n })).toBe("intrinsic-gas");
    expect(reasonOf({})).toBe("upfront-cost");
  });

  it("rejects an impossible signature, which becomes the cause", () => {
    const cause = new InvalidTransaction({ message: "transaction.signature: no such point" });

    expect(() => verify(aForgery(cause))).toThrow(
      expect.objectContaining({ reason: "invalid-signature", message: "Invalid signature", cause }),
    );
  });

  it("passes through an error that is not the transaction's fault", () => {
    const fault = new TypeError("crypto is not loaded");

    expect(() => verify(aForgery(fault))).toThrow(fault);
  });

  it("treats a missing account as empty", () => {
    const free = aTransaction({ gasPrice: 0n, nonce: 0n });

    expect(() => verifySender(free, aState())).not.toThrow();
    expect(() => verifySender(aTransaction({ nonce: 0n }), aState())).toThrow(
      expect.objectContaining({ reason: "upfront-cost" }),
    );
  });

  it.each([
    ["is denied to a contract (EIP-3607)", "0x60006000", false],
    [
      "is granted to an account that delegates to one (EIP-7702)",
      `0xef0100${"aa".repeat(20)}`,
      true,
    ],
  ])("%s", (_, code, isGiven) => {
    const bytes = Buffer.from(code.slice(2), "hex");
    const state = { ...aState(RICH), getCode: () => bytes };
    const isRefused = expect.objectContaining({ reason: "sender-not-authorized" });

    expect(isDelegation(bytes)).toBe(isGiven);
    if (isGiven) expect(() => verifySender(aTransaction(), state)).not.toThrow();
    else expect(() => verifySender(aTransaction(), state)).toThrow(isRefused);
  });

  it("includes blob gas in the upfront cost (EIP-4844)", () => {
    const blobs = { type: 3 as const, maxFeePerBlobGas: 3n, blobVersionedHashes: [BLOB, BLOB] };
    const left = BALANCE - 210_000n - 2n * 131_072n * 3n;

    expect(() => verify(aTransaction({ ...blobs, value: left }))).not.toThrow();
    expect(() => verify(aTransaction({ ...blobs, value: left + 1n }))).toThrow(
      expect.objectContaining({ reason: "upfront-cost" }),
    );
  });
});
