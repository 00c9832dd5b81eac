/** A method of another development chain, with valid parameters. */
export interface DevMethod {
  readonly name: string;
  readonly params: readonly unknown[];
  /** Which of them have it. */
  readonly of: readonly ("Anvil" | "Hardhat")[];
}

const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const BOB = "0x00000000000000000000000000000000000000b0";
const TOKEN = "0x00000000000000000000000000000000000000c0";
const WORD = `0x${"01".padStart(64, "0")}`;
/** Returns the word at keccak256(first argument, 5), like a token with a mapping in slot 5. */
const TOKEN_CODE = "0x600435600052600560205260406000205460005260206000f3";

/**
 * The methods of Anvil 1.7.1 under `anvil_`, and of Hardhat 3.18.0 under `hardhat_`; `evm_` is
 * below.
 */
const SHARED: Readonly<Record<string, readonly unknown[]>> = {
  dropTransaction: [WORD],
  getAutomine: [],
  impersonateAccount: [BOB],
  metadata: [],
  mine: [1],
  setBalance: [BOB, "0x1"],
  setCode: [TOKEN, TOKEN_CODE],
  setCoinbase: [BOB],
  setLoggingEnabled: [true],
  setMinGasPrice: ["0x1"],
  setNextBlockBaseFeePerGas: ["0x3b9aca00"],
  setNonce: [BOB, "0x5"],
  setStorageAt: [BOB, "0x0", WORD],
  stopImpersonatingAccount: [BOB],
};
const HARDHAT_ONLY: Readonly<Record<string, readonly unknown[]>> = { setPrevRandao: [WORD] };
/** Anvil has these under `hardhat_` too. */
const ANVIL_AS_HARDHAT: Readonly<Record<string, readonly unknown[]>> = {
  addBalance: [BOB, "0x1"],
  autoImpersonateAccount: [false],
  dealERC20: [ALICE, TOKEN, "0x64"],
  dropAllTransactions: [],
  dumpState: [],
  loadState: [`0x${Buffer.from('{"accounts":{}}').toString("hex")}`],
};
const ANVIL_ONLY: Readonly<Record<string, readonly unknown[]>> = {
  getBlobByHash: [WORD],
  getBlobsByTransactionHash: [WORD],
  getGenesisTime: [],
  getIntervalMining: [],
  impersonateSignature: ["0x00", BOB],
  increaseTime: [1],
  mine_detailed: [],
  nodeInfo: [],
  removeBlockTimestampInterval: [],
  removePoolTransactions: [BOB],
  reorg: [1, []],
  revert: ["0x0"],
  rollback: [1],
  setAutomine: [true],
  setBlockGasLimit: ["0x1c9c380"],
  setBlockTimestampInterval: [1],
  setChainId: [7],
  setERC20Allowance: [ALICE, BOB, TOKEN, "0x64"],
  setERC20Balance: [ALICE, TOKEN, "0x64"],
  setFeeAmmLiquidity: [],
  setFeeToken: [],
  setIntervalMining: [0],
  setNextBlockTimestamp: [7_000_000_000],
  setRpcUrl: ["http://127.0.0.1:1"],
  setTime: [7_000_000_100],
  setValidatorFeeToken: [],
  snapshot: [],
};
const EVM_SHARED: Readonly<Record<string, readonly unknown[]>> = {
  increaseTime: [1],
  mine: [],
  revert: ["0x0"],
  setAutomine: [true],
  setBlockGasLimit: ["0x1c9c380"],
  setIntervalMining: [0],
  setNextBlockTimestamp: [7_100_000_000],
  snapshot: [],
};
const EVM_OF_ANVIL: Readonly<Record<string, readonly unknown[]>> = {
  mine_detailed: [],
  setAccountNonce: [BOB, "0x6"],
  setTime: [7_200_000_000],
};

/** Goes back to block 0, so it is last. */
const RESET: Readonly<Record<string, readonly unknown[]>> = { reset: [] };

/** All of them, in an order in which each can work. */
export const DEV_METHODS: readonly DevMethod[] = [
  ...named("anvil", SHARED, ["Anvil"]),
  ...named("hardhat", SHARED, ["Anvil", "Hardhat"]),
  ...named("hardhat", HARDHAT_ONLY, ["Hardhat"]),
  ...named("anvil", ANVIL_AS_HARDHAT, ["Anvil"]),
  ...named("hardhat", ANVIL_AS_HARDHAT, ["Anvil"]),
  ...named("anvil", ANVIL_ONLY, ["Anvil"]),
  ...named("evm", EVM_SHARED, ["Anvil", "Hardhat"]),
  ...named("evm", EVM_OF_ANVIL, ["Anvil"]),
  ...named("anvil", RESET, ["Anvil"]),
  ...named("hardhat", RESET, ["Anvil"]),
];

function named(
  namespace: string,
  methods: Readonly<Record<string, readonly unknown[]>>,
  of: DevMethod["of"],
): readonly DevMethod[] {
  return Object.entries(methods).map(([name, params]) => ({
    name: `${namespace}_${name}`,
    params,
    of,
  }));
}
