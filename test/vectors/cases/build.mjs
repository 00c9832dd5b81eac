import { loadCrypto, toHex } from "@plinth/core";
import { decodeTransaction, signAuthorization, signTransaction } from "@plinth/core/blocks";

await loadCrypto();

/** Private keys of the accounts that cases use. */
export const KEYS = [1, 2, 3, 4].map((byte) => new Uint8Array(32).fill(byte));
const NUMBER = 10_000;
const CHAIN_ID = 1n;
const RICH = "0x3635c9adc5dea00000";

/** The hash of a block before the one of the case. */
export const hashOf = (number) => `0x${number.toString(16).padStart(64, "0")}`;

/** Addresses of the keys above: senders, and authorities of EIP-7702. */
export const [ALICE, BOB, CAROL, DAVE] = KEYS.map(
  (key) => decodeTransaction(signTransaction(withDefaults({}), key)).sender,
);

/** The address of the code that cases run. */
export const CODE = "0x00000000000000000000000000000000000c0de0";
export const OTHER_CODE = "0x00000000000000000000000000000000000c0de1";
/** An empty account. */
export const ZERO_ADDRESS = "0x00000000000000000000000000000000000000ee";

/** A signed transaction; by default Alice sends it to the code. */
export function tx({ key = KEYS[0], authorizations, ...fields } = {}) {
  const list = authorizations && { authorizationList: authorizations };
  return toHex(signTransaction({ ...withDefaults(fields), ...list }, key));
}

/** An authorization of EIP-7702 by the owner of a key. */
export function authorize({ key = KEYS[1], address = CODE, nonce = 0n, chainId = CHAIN_ID }) {
  return signAuthorization({ chainId, address, nonce }, key);
}

/** An account with code, and storage by slot. */
export const contract = (code, storage = {}) => ({
  balance: "0x0",
  nonce: "0x1",
  code: `0x${code}`,
  ...(Object.keys(storage).length > 0 && { storage }),
});

/** A case: the initial state of a block besides the system contracts, and its content. */
export function aCase({ name, eip, fork, alloc = {}, env = {}, transactions, without = [] }) {
  const rich = { balance: RICH, nonce: "0x0" };
  return {
    name: `EIP-${eip}: ${name}`,
    fork,
    env: {
      currentCoinbase: "0x00000000000000000000000000000000000000cb",
      currentGasLimit: "0x5f5e100",
      currentNumber: `0x${NUMBER.toString(16)}`,
      currentTimestamp: "0x3e8",
      currentRandom: hashOf(7),
      currentDifficulty: "0x0",
      currentBaseFee: "0x7",
      currentExcessBlobGas: "0x0",
      parentBeaconBlockRoot: hashOf(77),
      blockHashes: { [NUMBER - 1]: hashOf(NUMBER - 1) },
      withdrawals: [],
      ...env,
    },
    alloc: { [ALICE]: rich, [BOB]: rich, ...alloc },
    // Missing system contracts.
    without,
    transactions,
  };
}

/** Hex digits of a number, padded to a number of bytes. */
export const word = (value, bytes = 32) =>
  BigInt(value)
    .toString(16)
    .padStart(bytes * 2, "0");

/**
 * Stores the results of calls with the transaction's data: success, length and hash, in slots 0 to
 * 2.
 */
export const callWithData = (address, gas = "5a") =>
  `365f5f37${"5f5f365f"}73${word(address, 20)}${gas}fa${"5f55"}3d600155${"3d5f5f3e"}${"3d5f20"}600255`;

/** Code that stores the words of a program, each in a separate slot. */
export const storeAll = (programs) =>
  programs.map((program, slot) => `${program}60${word(slot, 1)}55`).join("");

/** Code that leaves the gas of some code on the stack. */
export const gasOf = (code) => `5a${code}5a9003`;

/**
 * Cases of a system contract called before the transactions of a block: how it is called, and read.
 */
export function systemContract({ eip, fork, address }) {
  const at = `73${word(address, 20)}`;
  const readBalance = gasOf(`${at}3150`);
  const [origin, caller, value, price, gas] = ["32", "33", "34", "3a", "5a"];
  const [sizeOfData, firstWord, fee, number] = ["36", "5f35", "48", "43"];
  const context = [origin, caller, value, price, gas, sizeOfData, firstWord, fee, number];
  const row = (name, fields) => aCase({ name, eip, fork, transactions: [tx()], ...fields });
  return [
    row("the code of the contract is there to be read", {
      alloc: { [CODE]: contract(storeAll([`${at}3b`, `${at}3f`, `60205f5f${at}3c5f51`])) },
    }),
    row("the call of the protocol leaves nothing warm", {
      alloc: { [CODE]: contract(storeAll([readBalance, readBalance])) },
    }),
    row("what the code of the contract sees", {
      alloc: { [address]: contract(storeAll(context)) },
    }),
    row("logs of the contract belong to no receipt", { alloc: { [address]: contract("5f5fa0") } }),
    row("nothing is written where there is no code", {
      without: [address],
      transactions: [tx({ to: ZERO_ADDRESS, value: 1n })],
    }),
  ];
}

/** Hex digits as the bytes of a transaction. */
export const data = (hex) => new Uint8Array(Buffer.from(hex, "hex"));

/** Hashes of blobs. */
export const blobs = (count) =>
  Array.from({ length: count }, (_, index) => `0x01${word(index, 31)}`);

function withDefaults(fields) {
  return {
    chainId: CHAIN_ID,
    nonce: 0n,
    gasLimit: 1_000_000n,
    to: "0x00000000000000000000000000000000000c0de0",
    value: 0n,
    data: new Uint8Array(),
    maxFeePerGas: 1000n,
    maxPriorityFeePerGas: 3n,
    ...(fields.blobVersionedHashes && { maxFeePerBlobGas: 1_000_000_000n }),
    ...fields,
  };
}
