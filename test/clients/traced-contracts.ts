import { type Address, hexToBytes } from "@plinth/core";
import type { UnsignedTransaction } from "@plinth/core/blocks";

/** The sender of all of them. */
export const SENDER = {
  key: bytes("8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63"),
  address: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73" as Address,
};

const at = (number: number): Address => `0x${number.toString(16).padStart(40, "0")}`;
const push = (address: Address) => `73${address.slice(2)}`;

const STORE = at(0x1001);
const REVERT = at(0x1002);
const BREAK = at(0x1003);
const SPIN = at(0x1004);
const LOG = at(0x1005);
const DESTROY = at(0x1006);
const SHA256 = at(0x02);

/** Puts the selector 0x11223344 and a word into memory, and calls with 36 bytes of it. */
const SELECTOR = "63112233446000526007602052";
const called = (op: string, to: Address, { value = "", gas = "61c350" } = {}) =>
  `${SELECTOR}602060606024601c${value}${push(to)}${gas}${op}`;
const withValue = { value: "6003" };
const withNone = { value: "6000" };

/** Contracts by address; each has a name in the list of transactions below. */
const NAMED: readonly (readonly [name: string, address: Address, code: string])[] = [
  // Adds one to slot 5 and returns a word.
  ["store", STORE, "6005546001018060055560005260206000f3"],
  // Reverts with Error("no").
  ["revert", REVERT, "6308c379a060e01b60005260206004526002602452616e6f60f01b60445260646000fd"],
  ["invalid", BREAK, "6001600155fe"],
  ["out of gas", SPIN, "5b600056"],
  ["log", LOG, "602a6000526001600260206000a2600760206000a1"],
  ["self-destruct", DESTROY, `${push(at(0xbeef))}ff`],
  ["call", at(0x2001), `${called("f1", STORE, withNone)}50`],
  ["call with value", at(0x2002), `${called("f1", LOG, withValue)}50`],
  ["callcode", at(0x2003), `${called("f2", STORE, withNone)}50`],
  ["delegatecall", at(0x2004), `${called("f4", STORE)}50`],
  ["staticcall", at(0x2005), `${called("fa", STORE)}50`],
  ["call of a precompile", at(0x2006), `${called("fa", SHA256)}50`],
  ["call that reverts", at(0x2007), `${called("f1", REVERT, withNone)}50`],
  ["call that breaks", at(0x2008), `${called("f1", BREAK, withNone)}50`],
  ["call that runs out", at(0x2009), `${called("f1", SPIN, { value: "6000", gas: "6103e8" })}50`],
  ["call of a self-destruct", at(0x200a), `${called("f1", DESTROY, withNone)}50`],
  ["call of an empty account", at(0x200b), `${called("f1", at(0xdead), withValue)}50`],
  // Creates a contract whose code is one byte, and calls it.
  ["create", at(0x200c), "69600160005360016000f3600052600a60166001f050"],
  ["create2", at(0x200d), "69600160005360016000f36000526007600a60166000f550"],
  ["create that reverts", at(0x200e), "6460006000fd6000526005601b6000f050"],
  // Calls the calling contract, and reverts itself.
  [
    "nested",
    at(0x200f),
    `${called("f1", at(0x2001), withNone)}${called("fa", at(0x2005))}60006000fd`,
  ],
];

/** The code of every contract, by address. */
export const CONTRACTS: Readonly<Record<Address, string>> = Object.fromEntries(
  NAMED.map(([, address, code]) => [address, `0x${code}`]),
);

/** A transaction with a name for people. */
export type NamedTransaction = UnsignedTransaction & { readonly name: string };

/**
 * This many transactions: calls of every contract in turn, creations and transfers, with different
 * data each time.
 */
export function makeTransactions(count: number): readonly NamedTransaction[] {
  return Array.from({ length: count }, (_, index) => {
    const shared = { chainId: 1337n, nonce: BigInt(index), gasPrice: 3_000_000_000n };
    const turn = index % (NAMED.length + 3);
    const word = (index * 7919).toString(16).padStart(8, "0");
    if (turn === NAMED.length) {
      return {
        ...shared,
        name: "transfer",
        to: at(0xb0b),
        value: 5n,
        data: bytes(""),
        gasLimit: 21_000n,
      };
    }
    if (turn > NAMED.length) {
      const isFine = turn === NAMED.length + 1;
      // Creates a contract of one byte, or reverts.
      const data = bytes(isFine ? "6001600c60003960016000f300" : "60006000fd");
      const name = isFine ? "creation" : "creation that reverts";
      return { ...shared, name, to: undefined, value: 0n, data, gasLimit: 200_000n };
    }
    const [name = "", to] = NAMED[turn] ?? [];
    return { ...shared, name, to, value: 0n, data: bytes(word), gasLimit: 300_000n };
  });
}

function bytes(hex: string): Uint8Array {
  return hexToBytes(hex);
}
