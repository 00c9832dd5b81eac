import type { DevHolder } from "./dev.js";
import * as methods from "./methods/index.js";
import type { Snapshots } from "./snapshots.js";

const NO_FORK = "the node of a fork is set when it starts: --fork-url";
const TEMPO = "it belongs to Tempo, another kind of chain";
const BLOBS = "blobs are not kept once their block is produced";

/** The methods under the names that tools use. */
export function createMethods(holder: DevHolder, snapshots: Snapshots) {
  const time = createTimeMethods(holder);
  const shared = createSharedMethods(holder, snapshots);
  const mineDetailed = methods.mineDetailed(holder);
  const evm = {
    snapshot: methods.snapshot(holder, snapshots),
    revert: methods.revert(holder, snapshots),
    mine: methods.mine(holder),
    mine_detailed: mineDetailed,
    setAutomine: methods.setAutomine(holder),
    setIntervalMining: methods.setIntervalMining(holder),
    setAccountNonce: shared.setNonce,
    ...time,
  };
  const hardhat = {
    ...shared,
    intervalMine: methods.intervalMine(holder),
    setPrevRandao: methods.setPrevRandao(holder),
    addCompilationResult: methods.refused("functions are named from ABI files: --abi"),
    getStackTraceFailuresCount: methods.refused("there are no Solidity stack traces"),
  };
  const { setAccountNonce: _, ...evmForAnvil } = evm;
  const anvil = { ...evmForAnvil, ...shared, ...createAnvilMethods(holder) };
  return { evm, hardhat, anvil, ...createSigningMethods(holder) };
}

function createTimeMethods(holder: DevHolder) {
  return {
    increaseTime: methods.increaseTime(holder),
    setNextBlockTimestamp: methods.setNextBlockTimestamp(holder),
    setTime: methods.setTime(holder),
    setBlockGasLimit: methods.setBlockGasLimit(holder),
  };
}

/** Methods of both Hardhat and Anvil. */
function createSharedMethods(holder: DevHolder, snapshots: Snapshots) {
  return {
    mine: methods.mineMany(holder),
    reset: methods.reset(holder, snapshots),
    getAutomine: methods.getAutomine(holder),
    setBalance: methods.setBalance(holder),
    addBalance: methods.addBalance(holder),
    dealERC20: methods.dealErc20(holder),
    setCode: methods.setCode(holder),
    setNonce: methods.setNonce(holder),
    setStorageAt: methods.setStorageAt(holder),
    setCoinbase: methods.setCoinbase(holder),
    setNextBlockBaseFeePerGas: methods.setNextBlockBaseFeePerGas(holder),
    setMinGasPrice: methods.refused(
      "blocks have a base fee: --min-gas-price sets the minimum price",
    ),
    setLoggingEnabled: methods.setLoggingEnabled(holder),
    impersonateAccount: methods.impersonateAccount(holder),
    stopImpersonatingAccount: methods.stopImpersonatingAccount(holder),
    autoImpersonateAccount: methods.autoImpersonateAccount(holder),
    dropTransaction: methods.dropTransaction(holder),
    dropAllTransactions: methods.dropAllTransactions(holder),
    metadata: methods.metadata(holder),
    dumpState: methods.dumpState(holder),
    loadState: methods.loadState(holder),
  };
}

function createAnvilMethods(holder: DevHolder) {
  const deal = methods.dealErc20(holder);
  return {
    setPrevRandao: methods.setPrevRandao(holder),
    setIntervalMining: methods.setIntervalSeconds(holder),
    getIntervalMining: methods.getIntervalMining(holder),
    setERC20Balance: deal,
    setERC20Allowance: methods.setErc20Allowance(holder),
    removePoolTransactions: methods.removePoolTransactions(holder),
    setBlockTimestampInterval: methods.setBlockTimestampInterval(holder),
    removeBlockTimestampInterval: methods.removeBlockTimestampInterval(holder),
    reorg: methods.reorg(holder),
    rollback: methods.rollback(holder),
    nodeInfo: methods.nodeInfo(holder),
    getGenesisTime: methods.getGenesisTime(holder),
    setChainId: methods.refused("the chain id is fixed by block 0: --chain-id"),
    setRpcUrl: methods.refused(NO_FORK),
    impersonateSignature: methods.refused(
      "a contract always sees the actual signer of a signature",
    ),
    getBlobByHash: methods.refused(BLOBS),
    getBlobsByTransactionHash: methods.refused(BLOBS),
    setFeeToken: methods.refused(TEMPO),
    setValidatorFeeToken: methods.refused(TEMPO),
    setFeeAmmLiquidity: methods.refused(TEMPO),
  };
}

/** Methods of a wallet. */
function createSigningMethods(holder: DevHolder) {
  const signTypedData = methods.signTypedData(holder);
  return {
    eth: {
      requestAccounts: methods.requestAccounts(holder),
      sign: methods.signMessage(holder),
      signTransaction: methods.signTransaction(holder),
      signTypedData,
      signTypedData_v3: signTypedData,
      signTypedData_v4: signTypedData,
    },
    personal: { sign: methods.personalSign(holder) },
  };
}
