import { type Address, type Hash, hexToBytes, keccak256, toHex } from "@plinth/core";
import { type Authorization, contractAddress, signAuthorization } from "@plinth/core/blocks";
import { type Fork, isAtLeast } from "@plinth/core/evm";
import { floorGas, intrinsicGas } from "@plinth/core/rules";
import { assemble } from "./assembler.js";
import {
  CASE_FORKS,
  type CaseAccount,
  COINBASE,
  type EvmCase,
  FIRST,
  KEY,
  SENDER,
} from "./evm-cases.js";
import { EDGES } from "./evm-programs.js";

/** A row of a table: a transaction to `FIRST` with its code, under each of some forks. */
export interface TableRow {
  readonly name: string;
  readonly forks: readonly Fork[];
  readonly code: string;
  readonly others?: Readonly<Record<Address, string | CaseAccount>>;
  readonly storage?: Readonly<Record<Hash, bigint>>;
  readonly balance?: bigint;
  readonly data?: Uint8Array;
  /** The transaction creates a contract with its data. */
  readonly isCreation?: boolean;
  readonly gas?: bigint;
  readonly authorizations?: readonly Authorization[];
}

const OTHER: Address = "0x00000000000000000000000000000000000b0001";
const THIRD: Address = "0x00000000000000000000000000000000000b0002";
const EMPTY_ACCOUNT: Address = "0x00000000000000000000000000000000000b0003";
const ABSENT: Address = "0x00000000000000000000000000000000000b0004";
const RIPEMD: Address = "0x0000000000000000000000000000000000000003";

const since = (first: Fork) => CASE_FORKS.filter((fork) => isAtLeast(fork, first));
const slot = (index: number): Hash => `0x${index.toString(16).padStart(64, "0")}`;

/** Stores the gas that some words use, in a slot. */
const measured = (index: number, words: string) => `GAS ${words} GAS SWAP1 SUB ${index} SSTORE`;
/** Calls with all gas and no data, and drops the result. */
const call = (op: string, to: Address, value = 0, gas = "GAS") => {
  const sent = op === "CALL" || op === "CALLCODE" ? `${value}` : "";
  return `0 0 0 0 ${sent} ${BigInt(to)} ${gas} ${op}`;
};
/** Puts code into memory and leaves its length, its offset and a value for CREATE. */
const initCode = (hex: string, value = 0) => {
  const bytes = hexToBytes(hex);
  const words = Array.from({ length: Math.ceil(bytes.length / 32) }, (_, index) => {
    const word = toHex(bytes.subarray(32 * index, 32 * index + 32))
      .slice(2)
      .padEnd(64, "0");
    return `#7f${word} ${32 * index} MSTORE`;
  });
  return `${words.join(" ")} ${bytes.length} 0 ${value}`;
};
const hexOf = (text: string) => toHex(assemble(text)).slice(2);

function create2Address(creator: Address, salt: bigint, init: string): Address {
  const hash = keccak256(
    Buffer.concat([
      Uint8Array.of(0xff),
      hexToBytes(creator),
      hexToBytes(salt.toString(16).padStart(64, "0")),
      keccak256(hexToBytes(init)),
    ]),
  );
  return toHex(hash.slice(-20));
}

function accessRows(): TableRow[] {
  const targets: readonly (readonly [string, Address])[] = [
    ["an account", ABSENT],
    ["the coinbase", COINBASE],
    ["a precompile", "0x0000000000000000000000000000000000000002"],
    ["itself", FIRST],
  ];
  return targets.flatMap(([what, address]) => [
    {
      name: `access to ${what} that a revert takes back`,
      forks: since("byzantium"),
      code: `${call("CALL", OTHER)} POP ${measured(1, `${BigInt(address)} BALANCE POP`)} ${measured(2, `${BigInt(address)} EXTCODESIZE POP`)} STOP`,
      others: { [OTHER]: `${BigInt(address)} BALANCE POP 0 0 REVERT` },
    },
    {
      name: `access to ${what} that is kept`,
      forks: since("frontier"),
      code: `${call("CALL", OTHER)} POP ${measured(1, `${BigInt(address)} BALANCE POP`)} STOP`,
      others: { [OTHER]: `${BigInt(address)} BALANCE POP STOP` },
    },
  ]);
}

function storageRows(): TableRow[] {
  const values = [0, 1, 2];
  return [0, 1].flatMap((original) =>
    values.flatMap((a) =>
      values.flatMap((b) =>
        values.map(
          (c): TableRow => ({
            name: `SSTORE ${original} -> ${a} -> ${b} -> ${c}`,
            forks: [
              "byzantium",
              "constantinople",
              "petersburg",
              "istanbul",
              "berlin",
              "london",
              "osaka",
            ],
            code: `GAS ${a} 0 SSTORE GAS ${b} 0 SSTORE GAS ${c} 0 SSTORE GAS 32 MSTORE 64 MSTORE 96 MSTORE 128 MSTORE 128 32 LOG0 STOP`,
            storage: { [slot(0)]: BigInt(original) },
          }),
        ),
      ),
    ),
  );
}

function gasRows(): TableRow[] {
  const clear = Array.from({ length: 12 }, (_, index) => `0 ${index} SSTORE`).join(" ");
  return [
    {
      name: "refunds up to their cap",
      forks: CASE_FORKS,
      code: `${clear} STOP`,
      storage: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [slot(index), 1n])),
    },
    {
      name: "the sentry of SSTORE with 2300 gas and one more",
      forks: since("constantinople"),
      code: `${call("CALL", OTHER, 0, "2300")} 1 SSTORE ${call("CALL", OTHER, 0, "2306")} 2 SSTORE ${call("CALL", OTHER, 0, "2307")} 3 SSTORE STOP`,
      others: {
        [OTHER]: { code: assemble("5 0 SSTORE STOP"), storage: { [slot(0)]: 5n }, nonce: 1n },
      },
    },
    {
      name: "63 of 64 parts of the gas",
      forks: CASE_FORKS,
      code: `${call("CALL", OTHER, 0, "30000")} POP 0 0 0 0 0 ${BigInt(OTHER)} 90000 CALL 0 SSTORE STOP`,
      others: { [OTHER]: "GAS 0 MSTORE 32 0 LOG0 STOP" },
      gas: 120_000n,
    },
    ...["CALL", "CALLCODE"].map(
      (op): TableRow => ({
        name: `the stipend of ${op}`,
        forks: CASE_FORKS,
        code: `${call(op, OTHER, 1, "0")} 0 SSTORE ${measured(1, `${call(op, OTHER, 1, "0")} POP`)} ${measured(2, `${call(op, ABSENT, 1, "0")} POP`)} STOP`,
        others: { [OTHER]: "GAS 0 MSTORE 1 31 LOG0 STOP" },
        balance: 5n,
      }),
    ),
    {
      name: "a call with more value than there is",
      forks: CASE_FORKS,
      code: `${measured(1, `${call("CALL", OTHER, 9, "5000")} 2 SSTORE`)} STOP`,
      balance: 8n,
    },
    // From Osaka on no transaction has enough gas to get there.
    ...CASE_FORKS.filter((fork) => fork !== "osaka").map(
      (fork): TableRow => ({
        name: "calls and creations deeper than 1024",
        forks: [fork],
        code: `0 0 0 0 0 ADDRESS ${isAtLeast(fork, "tangerineWhistle") ? "GAS" : "100000 GAS SUB"} CALL ISZERO @end JUMPI STOP end: ${measured(0, `${call("CALL", ABSENT, 0, "0")} 1 SSTORE`)} ${measured(2, "0 0 0 CREATE POP")} STOP`,
        gas: 2n ** 41n,
      }),
    ),
    {
      name: "a new account that a call makes, or not",
      forks: CASE_FORKS,
      code: `${measured(1, `${call("CALL", ABSENT, 0, "100")} POP`)} ${measured(2, `${call("CALL", ABSENT, 1, "100")} POP`)} STOP`,
      balance: 3n,
    },
    {
      name: "the floor of EIP-7623",
      forks: since("istanbul"),
      code: "STOP",
      data: Uint8Array.from({ length: 400 }, (_, index) => index % 3),
    },
  ];
}

function creationRows(): TableRow[] {
  const init = hexOf("1 0 RETURN");
  const at = create2Address(FIRST, 7n, init);
  const create2 = (code: string, value = 0) => `7 ${initCode(code, value)} CREATE2`;
  const collisions: readonly (readonly [string, CaseAccount])[] = [
    ["a nonce", { nonce: 1n }],
    ["code", { code: Uint8Array.of(0), nonce: 0n }],
    ["storage", { balance: 1n, storage: { [slot(0)]: 1n } }],
    ["a balance only", { balance: 9n }],
  ];
  const endings: readonly (readonly [string, string])[] = [
    ["returns code", "#60fe60005360016000f3"],
    ["returns 0xEF", "#60ef60005360016000f3"],
    ["returns 0xEF00", "#61ef0060005260026000f3"],
    ["reverts with data", "32 0 REVERT"],
    ["is invalid", "INVALID"],
    ["stops", "STOP"],
    ["returns 24577 bytes", "24577 0 RETURN"],
    ["returns 24576 bytes", "24576 0 RETURN"],
    ["destroys itself", "CALLER SELFDESTRUCT"],
    ["stores", "1 0 SSTORE 5 0 RETURN"],
  ];
  return [
    ...collisions.map(
      ([what, account]): TableRow => ({
        name: `CREATE2 where there is ${what}`,
        forks: since("constantinople"),
        code: `${create2(init, 1)} 0 SSTORE ${measured(1, `${create2(init)} POP`)} RETURNDATASIZE 2 SSTORE STOP`,
        others: { [at]: account },
        balance: 5n,
      }),
    ),
    ...collisions.flatMap(([what, account]): TableRow[] => [
      {
        name: `CREATE where there is ${what}`,
        forks: CASE_FORKS,
        code: `${initCode(init, 1)} CREATE 0 SSTORE ${measured(1, `${initCode(init)} CREATE POP`)} STOP`,
        others: { [contractAddress({ sender: FIRST, nonce: 1n })]: account },
        balance: 5n,
      },
      {
        name: `a transaction that creates where there is ${what}`,
        forks: CASE_FORKS,
        code: "",
        isCreation: true,
        data: hexToBytes(init),
        others: { [contractAddress({ sender: SENDER, nonce: 0n })]: account },
      },
    ]),
    ...endings.map(
      ([what, text]): TableRow => ({
        name: `a transaction that creates with code that ${what}`,
        forks: CASE_FORKS,
        code: "",
        isCreation: true,
        data: assemble(text),
        gas: 6_000_000n,
      }),
    ),
    ...endings.map(
      ([what, text]): TableRow => ({
        name: `CREATE with code that ${what}`,
        forks: CASE_FORKS,
        code: `${initCode(hexOf(text), 1)} CREATE 0 SSTORE ${measured(1, `${initCode(hexOf(text))} CREATE POP`)} MSIZE 3 SSTORE STOP`,
        balance: 5n,
        gas: 12_000_000n,
      }),
    ),
    ...endings.slice(0, 6).map(
      ([what, text]): TableRow => ({
        name: `return data after CREATE with code that ${what}`,
        forks: since("byzantium"),
        code: `32 0 0 0 0 ${BigInt("0x04")} GAS STATICCALL POP ${initCode(hexOf(text))} CREATE POP RETURNDATASIZE 1 SSTORE STOP`,
      }),
    ),
    {
      name: "CREATE without gas for the code",
      forks: CASE_FORKS,
      code: `${call("CALL", OTHER, 0, "60000")} 1 SSTORE STOP`,
      others: { [OTHER]: `${initCode(hexOf("200 0 RETURN"))} CREATE 0 SSTORE STOP` },
      gas: 400_000n,
    },
    {
      name: "the nonce after creations that fail",
      forks: CASE_FORKS,
      code: `${initCode("fe")} CREATE POP ${initCode("fe", 99)} CREATE POP ${initCode(hexOf("1 0 RETURN"))} CREATE 0 SSTORE STOP`,
      gas: 3_000_000n,
    },
    ...[49_152, 49_153].map(
      (length): TableRow => ({
        name: `init code of ${length} bytes`,
        forks: since("constantinople"),
        code: `${call("CALL", OTHER, 0, "3000000")} 1 SSTORE STOP`,
        others: { [OTHER]: `${length} 0 0 CREATE 0 SSTORE 7 ${length} 0 0 CREATE2 1 SSTORE STOP` },
        gas: 9_000_000n,
      }),
    ),
  ];
}

function staticRows(): TableRow[] {
  const writes: readonly (readonly [string, string, Fork])[] = [
    ["SSTORE", "1 0 SSTORE", "byzantium"],
    ["LOG0", "0 0 LOG0", "byzantium"],
    ["CREATE", "0 0 0 CREATE POP", "byzantium"],
    ["CREATE2", "0 0 0 0 CREATE2 POP", "constantinople"],
    ["SELFDESTRUCT", `${BigInt(ABSENT)} SELFDESTRUCT`, "byzantium"],
    ["CALL with value", `${call("CALL", ABSENT, 1)} POP`, "byzantium"],
    ["CALL without value", `${call("CALL", ABSENT, 0)} POP`, "byzantium"],
    ["CALLCODE with value", `${call("CALLCODE", ABSENT, 1)} POP`, "byzantium"],
    ["TSTORE", "1 0 TSTORE", "cancun"],
    ["TLOAD", "0 TLOAD POP", "cancun"],
  ];
  return writes.flatMap(([what, text, fork]) => [
    {
      name: `${what} in a static call`,
      forks: since(fork),
      code: `${call("STATICCALL", OTHER, 0, "50000")} 0 SSTORE ${measured(1, `${call("STATICCALL", THIRD, 0, "90000")} POP`)} STOP`,
      others: {
        [OTHER]: { code: assemble(`${text} STOP`), balance: 5n, nonce: 1n },
        [THIRD]: { code: assemble(`${call("CALL", OTHER)} POP STOP`), balance: 5n, nonce: 1n },
      },
      gas: 500_000n,
    },
  ]);
}

function transientRows(): TableRow[] {
  return [
    {
      name: "transient storage that a revert takes back",
      forks: since("cancun"),
      code: `5 1 TSTORE ${call("DELEGATECALL", OTHER)} POP 1 TLOAD 0 SSTORE ${call("DELEGATECALL", THIRD)} POP 1 TLOAD 2 SSTORE STOP`,
      others: { [OTHER]: "7 1 TSTORE 0 0 REVERT", [THIRD]: "8 1 TSTORE STOP" },
    },
    {
      name: "transient storage of another account",
      forks: since("cancun"),
      code: `5 1 TSTORE ${call("CALL", OTHER)} POP STOP`,
      others: { [OTHER]: "1 TLOAD 0 SSTORE STOP" },
    },
  ];
}

function selfdestructRows(): TableRow[] {
  const create = `${initCode(hexOf(`${BigInt(ABSENT)} SELFDESTRUCT`), 2)} CREATE`;
  return [
    ...([ABSENT, OTHER, EMPTY_ACCOUNT, SENDER] as const).map(
      (heir): TableRow => ({
        name: `SELFDESTRUCT to ${heir}`,
        forks: CASE_FORKS,
        code: `${measured(1, `${call("CALL", OTHER, 0, "80000")} POP`)} ${measured(2, `${call("CALL", OTHER, 0, "80000")} POP`)} ${BigInt(OTHER)} BALANCE 3 SSTORE ${BigInt(OTHER)} EXTCODESIZE 4 SSTORE STOP`,
        others: {
          [OTHER]: { code: assemble(`${BigInt(heir)} SELFDESTRUCT`), balance: 7n, nonce: 1n },
        },
        gas: 500_000n,
      }),
    ),
    {
      name: "SELFDESTRUCT in the transaction of the creation",
      forks: CASE_FORKS,
      code: `${create} BALANCE 0 SSTORE STOP`,
      balance: 5n,
    },
    {
      name: "SELFDESTRUCT to itself in the transaction of the creation",
      forks: CASE_FORKS,
      code: `${initCode(hexOf("ADDRESS SELFDESTRUCT"), 2)} CREATE BALANCE 0 SSTORE STOP`,
      balance: 5n,
    },
    {
      name: "value that is sent to an account after its SELFDESTRUCT",
      forks: CASE_FORKS,
      code: `${call("CALL", OTHER, 0, "80000")} POP ${call("CALL", OTHER, 1, "80000")} 0 SSTORE STOP`,
      others: {
        [OTHER]: { code: assemble(`${BigInt(ABSENT)} SELFDESTRUCT`), balance: 7n, nonce: 1n },
      },
      balance: 5n,
      gas: 500_000n,
    },
    {
      name: "SELFDESTRUCT that is taken back",
      forks: since("byzantium"),
      code: `${call("CALL", THIRD, 0, "120000")} 0 SSTORE STOP`,
      others: {
        [OTHER]: { code: assemble(`${BigInt(ABSENT)} SELFDESTRUCT`), balance: 7n, nonce: 1n },
        [THIRD]: `${call("CALL", OTHER, 0, "60000")} POP 0 0 REVERT`,
      },
      gas: 500_000n,
    },
    {
      name: "a precompile that was touched and whose call fails",
      forks: CASE_FORKS,
      code: `${call("CALL", OTHER, 0, "60000")} 0 SSTORE STOP`,
      others: {
        [OTHER]: `${call("CALL", RIPEMD, 0, "20000")} POP INVALID`,
        [RIPEMD]: {},
        [EMPTY_ACCOUNT]: {},
      },
      gas: 300_000n,
    },
    {
      name: "an empty account that is called",
      forks: CASE_FORKS,
      code: `${call("CALL", EMPTY_ACCOUNT, 0, "1000")} 0 SSTORE STOP`,
      others: { [EMPTY_ACCOUNT]: {} },
      gas: 300_000n,
    },
  ];
}

function codeRows(): TableRow[] {
  const bytes = Array.from({ length: 96 }, (_, index) => (index + 1).toString(16).padStart(2, "0"));
  const fill = [0, 1, 2]
    .map((word) => `#7f${bytes.slice(32 * word, 32 * word + 32).join("")} ${32 * word} MSTORE`)
    .join(" ");
  const returns = [
    [0, 0],
    [0, 32],
    [1, 31],
    [1, 32],
    [32, 0],
    [33, 0],
    [0, 33],
  ] as const;
  return [
    ...(
      [
        [8, 0, 40],
        [0, 8, 40],
        [5, 5, 20],
        [60, 10, 60],
        [10, 200, 8],
        [200, 10, 0],
      ] as const
    ).map(
      ([target, source, length]): TableRow => ({
        name: `MCOPY of ${length} bytes from ${source} to ${target}`,
        forks: since("cancun"),
        code: `${fill} ${measured(1, `${length} ${source} ${target} MCOPY`)} MSIZE 0 LOG0 STOP`,
      }),
    ),
    ...returns.map(
      ([start, length]): TableRow => ({
        name: `RETURNDATACOPY of ${length} bytes from ${start}`,
        forks: since("byzantium"),
        code: `${call("CALL", OTHER, 0, "60000")} 0 SSTORE STOP`,
        others: {
          [OTHER]: `32 0 0 0 4 GAS STATICCALL POP 32 0 32 0 4 GAS STATICCALL POP ${length} ${start} 0 RETURNDATACOPY 1 1 SSTORE STOP`,
        },
      }),
    ),
    { name: "a jump into push data", forks: CASE_FORKS, code: "3 JUMP #605b 1 0 SSTORE STOP" },
    {
      name: "a jump behind push data",
      forks: CASE_FORKS,
      code: "5 JUMP #605b JUMPDEST 1 0 SSTORE STOP",
    },
    { name: "a truncated PUSH32", forks: CASE_FORKS, code: "1 0 SSTORE #7f5b5b" },
    {
      name: "a truncated PUSH2 that is jumped over",
      forks: CASE_FORKS,
      code: "@a JUMP a: 1 0 SSTORE #61",
    },
    {
      name: "BLOCKHASH around its range",
      forks: CASE_FORKS,
      code: [43, 44, 45, 299, 300, 301]
        .map((n, index) => `${n} BLOCKHASH ${index} SSTORE`)
        .join(" "),
    },
    {
      name: "CLZ",
      forks: CASE_FORKS,
      code: `0 CLZ 0 SSTORE 1 CLZ 1 SSTORE 0 NOT CLZ 2 SSTORE ${2n ** 255n} CLZ 3 SSTORE ${2n ** 53n} CLZ 4 SSTORE STOP`,
    },
  ];
}

function delegationRows(): TableRow[] {
  const to = (address: Address): CaseAccount => ({
    code: hexToBytes(`ef0100${address.slice(2)}`),
    nonce: 1n,
  });
  const authorize = (chainId: bigint, address: Address, nonce: bigint) =>
    signAuthorization({ chainId, address, nonce }, hexToBytes(KEY));
  const reads = `${BigInt(OTHER)} EXTCODESIZE 0 SSTORE ${BigInt(OTHER)} EXTCODEHASH 1 SSTORE 32 0 0 ${BigInt(OTHER)} EXTCODECOPY 0 MLOAD 2 SSTORE ${measured(3, `${call("CALL", OTHER, 0, "50000")} 4 SSTORE`)} ${measured(5, `${call("DELEGATECALL", OTHER, 0, "50000")} POP`)} STOP`;
  const forks = since("cancun");
  return [
    {
      name: "a delegation",
      forks,
      code: reads,
      others: { [OTHER]: to(THIRD), [THIRD]: "7 9 SSTORE STOP" },
      gas: 500_000n,
    },
    {
      name: "a delegation to a delegation",
      forks,
      code: reads,
      others: { [OTHER]: to(THIRD), [THIRD]: to(ABSENT) },
      gas: 500_000n,
    },
    {
      name: "a delegation to itself",
      forks,
      code: reads,
      others: { [OTHER]: to(OTHER) },
      gas: 500_000n,
    },
    {
      name: "a delegation to a precompile",
      forks,
      code: reads,
      others: { [OTHER]: to(RIPEMD) },
      gas: 500_000n,
    },
    {
      name: "a delegation to no account",
      forks,
      code: reads,
      others: { [OTHER]: to(ABSENT) },
      gas: 500_000n,
    },
    ...(
      [
        [1n, THIRD, 1n],
        [0n, THIRD, 1n],
        [2n, THIRD, 1n],
        [1n, THIRD, 0n],
        [1n, `0x${"00".repeat(20)}`, 1n],
        [1n, RIPEMD, 1n],
      ] as const
    ).map(
      ([chainId, address, nonce]): TableRow => ({
        name: `an authorization for chain ${chainId} to ${address} with nonce ${nonce}`,
        forks: since("prague"),
        code: `${measured(1, `${call("CALL", SENDER, 0, "50000")} POP`)} CALLER EXTCODESIZE 2 SSTORE STOP`,
        others: { [THIRD]: "7 9 SSTORE STOP" },
        authorizations: [authorize(chainId, address as Address, nonce)],
        gas: 300_000n,
      }),
    ),
    {
      name: "two authorizations of one account",
      forks: since("prague"),
      code: `${call("CALL", SENDER, 0, "50000")} POP STOP`,
      others: { [THIRD]: "7 9 SSTORE STOP" },
      authorizations: [authorize(1n, OTHER, 1n), authorize(1n, THIRD, 2n)],
      gas: 300_000n,
    },
  ];
}

function precompileRows(): TableRow[] {
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const modexp = (base: string, exponent: string, modulus: string) =>
    [base, exponent, modulus].map((part) => word(BigInt(part.length / 2))).join("") +
    base +
    exponent +
    modulus;
  const g1 =
    "0000000000000000000000000000000017f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb0000000000000000000000000000000008b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1";
  const p256 =
    "bb5a52f42f9c9261ed4361f59422a1e30036e7c32b270c8807a419feca6050232ba3a8be6b94d5ec80a6d9d1190a436effe50d85a1eee859b8cc6af9bd5c2e184cd60b855d442f5b3c7b11eb6c4e0ae7525fe710fab9aa7c77a67f79e6fadd762927b10512bae3eddcfe467828128bad2903269919f7086069c8c4df6c732838c7787964eaac00e5921fb1498a60f4606766b3d9685001558d1a974e7341513e";
  const proof =
    "01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d3630624d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a18f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a";
  const recover =
    "456e9aea5e197a1f1af7a3e85a3212fa4049a3ba34c2289b4c860fc0b0c64ef3000000000000000000000000000000000000000000000000000000000000001c9242685bf161793cc25603c231bc2f568eb630ea16aa137d2664ac80388256084f8ae3bd7535248d0bd448298cc2e2071e56992d0774dc340c368ae950852ada";
  const inputs: readonly (readonly [string, number, string])[] = [
    ["ecrecover", 1, recover],
    ["ecrecover of a wrong v", 1, recover.replace("1c92", "1d92")],
    ["sha256", 2, "00".repeat(65)],
    ["ripemd160", 3, "61".repeat(33)],
    ["identity", 4, "61".repeat(33)],
    ["modexp of 32 bytes", 5, modexp("03".repeat(32), "fe".repeat(32), "0b".repeat(32))],
    ["modexp of 64 bytes", 5, modexp("03".repeat(64), "01".repeat(40), "0b".repeat(64))],
    ["modexp of 300 bytes", 5, modexp("03".repeat(300), "0101", "0b".repeat(300))],
    ["modexp by zero", 5, modexp("03", "05", "00")],
    ["modexp of nothing", 5, ""],
    ["modexp of a long exponent", 5, modexp("03", "00".repeat(33), "0b")],
    ["modexp of lengths out of range", 5, word(2n ** 200n) + word(1n) + word(1n)],
    ["modexp of 1025 bytes", 5, modexp("03", "05", `${"00".repeat(1024)}0b`)],
    ["bn254 addition", 6, word(1n) + word(2n) + word(1n) + word(2n)],
    ["bn254 addition off the curve", 6, word(1n) + word(3n)],
    ["bn254 multiplication", 7, word(1n) + word(2n) + word(5n)],
    ["bn254 pairing of nothing", 8, ""],
    ["blake2f", 9, `0000000c${"00".repeat(209)}`.slice(0, 426)],
    ["blake2f of a wrong flag", 9, `0000000c${"00".repeat(208)}02`],
    ["point evaluation", 10, proof],
    ["point evaluation of a wrong proof", 10, proof.replace("564c0a11", "564c0a12")],
    ["BLS12-381 addition", 11, g1 + g1],
    ["BLS12-381 addition of wrong length", 11, g1],
    ["BLS12-381 multiplication", 12, g1 + word(7n)],
    ["BLS12-381 map", 16, `${"00".repeat(63)}05`],
    ["P-256", 0x100, p256],
    ["P-256 of a wrong hash", 0x100, p256.replace("bb5a", "bb5b")],
    ["P-256 of wrong length", 0x100, p256.slice(2)],
  ];
  return inputs.map(
    ([name, number, input]): TableRow => ({
      name: `precompile: ${name}`,
      forks: CASE_FORKS,
      code: `CALLDATASIZE 0 0 CALLDATACOPY GAS 64 2000 CALLDATASIZE 0 0 ${number} 200000 CALL 0 SSTORE GAS SWAP1 SUB 1 SSTORE 2000 MLOAD 2 SSTORE 2032 MLOAD 3 SSTORE STOP`,
      data: hexToBytes(input),
      gas: 700_000n,
    }),
  );
}

/** Chains all results of an instruction over pairs of edges into one hash. */
function operandRows(): TableRow[] {
  const edges = [0n, 1n, 2n, 31n, 255n, 256n, ...EDGES.filter((_, index) => index % 4 !== 0)];
  const binary = "ADD MUL SUB DIV SDIV MOD SMOD SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE".split(
    " ",
  );
  const late = ["SHL", "SHR", "SAR"];
  const chained = (op: string, operands: readonly (readonly bigint[])[]) =>
    `${operands
      .map(
        (items) =>
          `${items.map((item) => `${item}`).join(" ")} ${op} 32 MSTORE 64 0 KECCAK256 0 MSTORE`,
      )
      .join(" ")} 0 MLOAD 0 SSTORE STOP`;
  const pairs = edges.flatMap((a) => edges.map((b) => [b, a]));
  return [
    ...binary.map(
      (op): TableRow => ({
        name: `${op} of edges`,
        forks: ["frontier", "osaka"],
        code: chained(op, pairs),
        gas: 2_000_000n,
      }),
    ),
    ...late.map(
      (op): TableRow => ({
        name: `${op} of edges`,
        forks: ["constantinople", "osaka"],
        code: chained(op, pairs),
        gas: 2_000_000n,
      }),
    ),
    ...["ISZERO", "NOT"].map(
      (op): TableRow => ({
        name: `${op} of edges`,
        forks: ["frontier", "osaka"],
        code: chained(
          op,
          edges.map((edge) => [edge]),
        ),
        gas: 2_000_000n,
      }),
    ),
    {
      name: "EXP of edges",
      forks: ["frontier", "spuriousDragon", "osaka"],
      code: chained(
        "EXP",
        pairs.filter((_, index) => index % 5 === 0),
      ),
      gas: 3_000_000n,
    },
    ...["ADDMOD", "MULMOD"].map(
      (op): TableRow => ({
        name: `${op} of edges`,
        forks: ["frontier", "osaka"],
        code: chained(
          op,
          pairs
            .filter((_, index) => index % 3 === 0)
            .flatMap(([a = 0n, b = 0n]) => [
              [a, b, edges[(Number(a % 97n) + 3) % edges.length] ?? 0n],
              [b, b, a],
            ]),
        ),
        gas: 3_000_000n,
      }),
    ),
  ];
}

/** All rows of all tables. */
export function tableRows(): readonly TableRow[] {
  return [
    ...accessRows(),
    ...storageRows(),
    ...gasRows(),
    ...creationRows(),
    ...staticRows(),
    ...transientRows(),
    ...selfdestructRows(),
    ...codeRows(),
    ...delegationRows(),
    ...precompileRows(),
    ...operandRows(),
  ];
}

/** The case of a row under a fork. */
export function caseOf(row: TableRow, fork: Fork, seed: number): EvmCase {
  const { code, others = {}, storage = {}, balance = 0n, gas = 2_000_000n } = row;
  const { data = new Uint8Array(), isCreation = false, authorizations = [] } = row;
  const isAuthorizing = authorizations.length > 0;
  const unlimited = {
    type: isAuthorizing ? (4 as const) : (0 as const),
    nonce: 0n,
    gasPrice: isAuthorizing ? undefined : 10n,
    maxFeePerGas: isAuthorizing ? 20n : undefined,
    maxPriorityFeePerGas: isAuthorizing ? 2n : undefined,
    to: isCreation ? undefined : FIRST,
    value: 0n,
    data,
    accessList: [],
    authorizationList: authorizations,
    blobVersionedHashes: [],
    maxFeePerBlobGas: undefined,
    sender: SENDER,
  };
  const [intrinsic, floor] = [intrinsicGas(unlimited, fork), floorGas(unlimited, fork)];
  // Rows about the floor leave no gas for the code.
  const least = intrinsic > floor ? intrinsic : floor;
  const accounts: Record<Address, CaseAccount> = {
    [SENDER]: { balance: 10n ** 24n },
    [FIRST]: { code: assemble(code), nonce: 1n, balance, storage: nonZero(storage) },
  };
  for (const [address, account] of Object.entries(others)) {
    accounts[address as Address] =
      typeof account === "string" ? { code: assemble(account), nonce: 1n } : account;
  }
  return { seed, fork, accounts, transaction: { ...unlimited, gasLimit: least + gas } };
}

function nonZero(storage: Readonly<Record<Hash, bigint>>): Record<Hash, bigint> {
  return Object.fromEntries(Object.entries(storage).filter(([, value]) => value !== 0n));
}
