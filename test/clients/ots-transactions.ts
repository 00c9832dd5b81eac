import { type Address, hexToBytes, keccak256, loadCrypto, toHex } from "@plinth/core";
import {
  contractAddress,
  signAuthorization,
  signTransaction,
  type UnsignedTransaction,
} from "@plinth/core/blocks";
import { assemble } from "../support/assembler.js";
import { FRIEND, RICH } from "./accounts.js";
import { readArtifact } from "./artifacts.js";

/** The chain that they are valid on. */
export const CHAIN_ID = 1337n;
const GAS_PRICE = 3_000_000_000n;
const GAS_LIMIT = 1_000_000n;

/** An account that only receives. */
export const BOB: Address = `0x${"b0b".padStart(40, "0")}`;
/** An account that once had a token. */
const HOLDER: Address = `0x${"401d".padStart(40, "0")}`;
/** An account that never appears. */
export const UNUSED: Address = `0x${"dead".padStart(40, "0")}`;
const SHA256: Address = `0x${"2".padStart(40, "0")}`;
const IDENTITY: Address = `0x${"4".padStart(40, "0")}`;

/** A signed transaction with a name for people. */
export interface SignedTransaction {
  readonly name: string;
  readonly raw: string;
}

/** The addresses that a comparison asks for, by name. */
export interface Script {
  readonly blocks: readonly (readonly SignedTransaction[])[];
  readonly addresses: Readonly<Record<string, Address>>;
}

type Fields = Partial<UnsignedTransaction> & { readonly input?: string };

/** Signs for one account, with consecutive nonces. */
class Signer {
  readonly #key: Uint8Array;
  readonly address: Address;
  readonly #gasPrice: bigint;
  nonce = 0n;

  constructor({ address, key }: { address: string; key: string }, gasPrice = GAS_PRICE) {
    this.address = address.toLowerCase() as Address;
    this.#key = hexToBytes(key.slice(2));
    this.#gasPrice = gasPrice;
  }

  sign(name: string, { input = "", ...fields }: Fields): SignedTransaction {
    const price = fields.maxFeePerGas === undefined ? { gasPrice: this.#gasPrice } : {};
    const transaction = {
      ...{ chainId: CHAIN_ID, nonce: this.nonce, gasLimit: GAS_LIMIT, to: undefined, value: 0n },
      ...{ data: hexToBytes(input), ...price, ...fields },
    };
    this.nonce += 1n;
    return { name, raw: toHex(signTransaction(transaction, this.#key)) };
  }

  /** Lets the account run the code of a contract; its own transaction takes the nonce before. */
  authorize(address: Address) {
    return signAuthorization({ chainId: CHAIN_ID, address, nonce: this.nonce }, this.#key);
  }
}

const hex = (text: string) => Buffer.from(assemble(text)).toString("hex");
const word = (value: string | bigint) =>
  (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0");

const selector = (signature: string) =>
  toHex(keccak256(Buffer.from(signature)).subarray(0, 4)).slice(2);
const TRANSFER = "transfer(address,uint256)";

/** Deploys code of less than 256 bytes. */
const deploying = (runtime: string) =>
  hex(`${runtime.length / 2} DUP1 9 PUSH0 CODECOPY PUSH0 RETURN #${runtime}`);

/** Calls the first word with the input after the second one, which is the value of calls that have one. */
const relay = (op: string, { end = "RETURN", value = "32 CALLDATALOAD" } = {}) =>
  hex(
    `CALLDATASIZE 0 0 CALLDATACOPY 0 0 64 CALLDATASIZE SUB 64 ${value} 0 CALLDATALOAD GAS ${op}
     POP RETURNDATASIZE 0 0 RETURNDATACOPY RETURNDATASIZE 0 ${end}`,
  );

/** Creates a contract from its input with the value it gets, and returns its address. */
const factory = (op: string) =>
  hex(
    `CALLDATASIZE 0 0 CALLDATACOPY ${op === "CREATE2" ? "7" : ""} CALLDATASIZE 0 CALLVALUE ${op}
     0 MSTORE 32 0 RETURN`,
  );

/** Logs nothing but the topics in its input: the transfers of tokens that have numbers. */
const LOGGER = hex("96 CALLDATALOAD 64 CALLDATALOAD 32 CALLDATALOAD 0 CALLDATALOAD 0 0 #a4");

const CODES = {
  caller: relay("CALL"),
  codeCaller: relay("CALLCODE"),
  delegator: relay("DELEGATECALL", { value: "" }),
  reader: relay("STATICCALL", { value: "" }),
  reverter: relay("CALL", { end: "REVERT" }),
  factory: factory("CREATE"),
  factory2: factory("CREATE2"),
  destroyer: hex("0 CALLDATALOAD SELFDESTRUCT"),
  logger: LOGGER,
} as const;

/**
 * The transactions, in blocks; the same bytes for every chain with the development accounts. Accounts
 * can be delegated since the hardfork Prague.
 */
export async function makeScript({ hasDelegations = true } = {}): Promise<Script> {
  await loadCrypto();
  const rich = new Signer(RICH);
  // Its transactions are after those of the other one in a block, because it pays less.
  const friend = new Signer(FRIEND, GAS_PRICE / 2n);
  const addresses: Record<string, Address> = { rich: rich.address, friend: friend.address };
  const deploy = (name: string, input: string, fields: Fields = {}) => {
    addresses[name] = contractAddress({ sender: rich.address, nonce: rich.nonce });
    return rich.sign(`deployment of ${name}`, { input, gasLimit: 3_000_000n, ...fields });
  };
  const at = (name: string): Address => {
    const address = addresses[name];
    if (address === undefined) throw new Error(`there is no ${name}`);
    return address;
  };
  const artifact = (name: "Token" | "Vault" | "Failures") => readArtifact(name).bytecode.slice(2);
  const deployments = [
    ...Object.entries(CODES).map(([name, code]) => deploy(name, deploying(code))),
    deploy("token", artifact("Token") + word(1_000n)),
    deploy("vault", artifact("Vault")),
    deploy("failures", artifact("Failures")),
  ];
  const call = (name: string, to: string, input: string, fields: Fields = {}) =>
    rich.sign(name, { to: at(to), input, ...fields });
  const pay = (to: Address, value: bigint) => word(to) + word(value);
  const small = deploying("00");
  const one = { value: 1n };

  const delegation = () => [
    [
      rich.sign("delegation of an account", {
        ...{ to: BOB, maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas: 1n },
        authorizationList: [friend.authorize(at("caller"))],
      }),
    ],
    [rich.sign("call of a delegated account", { to: friend.address, input: pay(BOB, 2n) })],
  ];
  const blocks = [
    [],
    deployments,
    [
      rich.sign("transfer", { to: BOB, value: 5n, gasLimit: 21_000n }),
      rich.sign("transfer to itself", { to: rich.address, value: 5n, gasLimit: 21_000n }),
      rich.sign("transfer with data", { to: BOB, value: 5n, input: "0102030405060708" }),
      rich.sign("with a priority fee", {
        ...{ to: BOB, maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas: GAS_PRICE, ...one },
      }),
      rich.sign("with an access list", {
        ...{ to: BOB, accessList: [{ address: at("token"), storageKeys: [] }], ...one },
      }),
      friend.sign("transfer of another account", { to: rich.address, value: 7n }),
    ],
    [],
    [
      call("internal transfer", "caller", pay(BOB, 3n), { value: 10n }),
      call("call without value", "caller", pay(BOB, 0n)),
      call("two levels", "caller", pay(at("caller"), 2n) + pay(BOB, 1n)),
      call("call of a contract that fails", "caller", pay(at("failures"), 0n) + selector("text()")),
      call("transfer in a call that fails", "caller", pay(at("reverter"), 2n) + pay(BOB, 1n)),
      call("transfer of more than there is", "caller", pay(BOB, 10n ** 30n)),
      call("delegatecall", "delegator", pay(at("caller"), 0n) + pay(BOB, 1n), { value: 4n }),
      call("callcode", "codeCaller", pay(at("destroyer"), 1n) + word(BOB), { value: 4n }),
      call("staticcall", "reader", pay(at("token"), 0n)),
      call("write in a staticcall", "reader", pay(at("factory"), 0n) + small),
      call("call of a precompile", "caller", `${pay(SHA256, 0n)}0102`),
      call("transfer to a precompile", "caller", pay(IDENTITY, 1n), { value: 4n }),
      rich.sign("transaction to a precompile", { to: SHA256, input: "0102", ...one }),
    ],
    [
      call("CREATE", "factory", small),
      call("CREATE with value", "factory", small, one),
      call("CREATE2", "factory2", small),
      call("CREATE2 at a taken address", "factory2", small),
      call("CREATE of a contract that creates", "factory", artifact("Vault"), {
        gasLimit: 3_000_000n,
      }),
      call("CREATE that reverts", "factory", hex("0 0 REVERT"), one),
      call("CREATE that destroys itself", "factory", hex(`#73${BOB.slice(2)} SELFDESTRUCT`), one),
      call("creation in a call that fails", "reverter", `${pay(at("factory"), 0n)}${small}`),
      rich.sign("deployment that reverts", { input: hex("#611234 0 MSTORE 2 30 REVERT") }),
      rich.sign("deployment that destroys itself", {
        ...{ input: hex(`#73${BOB.slice(2)} SELFDESTRUCT`), ...one },
      }),
    ],
    [
      call("token transfer", "token", `${selector(TRANSFER)}${word(BOB)}${word(5n)}`),
      call(
        "token transfer of too much",
        "token",
        `${selector(TRANSFER)}${word(BOB)}${word(5_000n)}`,
      ),
      call("transfer of a token with a number", "logger", topics()),
      call("deposit", "vault", selector("put()"), { value: 100n }),
      call("revert with a reason", "failures", selector("text()")),
      call("revert with a custom error", "failures", selector("custom()")),
      call(
        "revert with output of a call",
        "reverter",
        pay(at("failures"), 0n) + selector("text()"),
      ),
      rich.sign("invalid instruction", { input: "fe", gasLimit: 100_000n }),
      call("out of gas", "token", `${selector(TRANSFER)}${word(BOB)}${word(5n)}`, {
        gasLimit: 23_000n,
      }),
    ],
    [
      call("self-destruct", "destroyer", word(BOB), { value: 6n }),
      call("self-destruct in favour of itself", "destroyer", word(at("destroyer")), one),
      call("self-destruct of what is left", "destroyer", word(BOB)),
      call("self-destruct in a call", "caller", pay(at("destroyer"), 1n) + word(BOB), one),
      call("self-destruct in a delegatecall", "delegator", pay(at("destroyer"), 0n) + word(BOB)),
    ],
    ...(hasDelegations ? delegation() : []),
    Array.from({ length: 30 }, (_, index) =>
      rich.sign(`transfer ${index}`, { to: BOB, value: BigInt(index), gasLimit: 21_000n }),
    ),
    [],
  ];
  return {
    blocks,
    addresses: { ...addresses, bob: BOB, holder: HOLDER, unused: UNUSED, sha256: SHA256 },
  };
}

/** `Transfer(address,address,uint256)` with the number of the token as its fourth topic. */
function topics(): string {
  const transfer = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  return transfer + word(HOLDER) + word(BOB) + word(9n);
}
