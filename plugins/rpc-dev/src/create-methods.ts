import type { DevHolder } from "./dev.js";
import * as methods from "./methods/index.js";
import type { Snapshots } from "./snapshots.js";

/** The methods by the names that tools know them by: `evm_*`, and those that Hardhat and Anvil share. */
export function createMethods(holder: DevHolder, snapshots: Snapshots) {
  const evm = {
    snapshot: methods.snapshot(holder, snapshots),
    revert: methods.revert(holder, snapshots),
    mine: methods.mine(holder),
    increaseTime: methods.increaseTime(holder),
    setNextBlockTimestamp: methods.setNextBlockTimestamp(holder),
    setAutomine: methods.setAutomine(holder),
    setIntervalMining: methods.setIntervalMining(holder),
  };
  const shared = {
    mine: methods.mineMany(holder),
    reset: methods.reset(holder, snapshots),
    getAutomine: methods.getAutomine(holder),
    setBalance: methods.setBalance(holder),
    setCode: methods.setCode(holder),
    setNonce: methods.setNonce(holder),
    setStorageAt: methods.setStorageAt(holder),
    impersonateAccount: methods.impersonateAccount(holder),
    stopImpersonatingAccount: methods.stopImpersonatingAccount(holder),
    autoImpersonateAccount: methods.autoImpersonateAccount(holder),
    dropTransaction: methods.dropTransaction(holder),
  };
  const signTypedData = methods.signTypedData(holder);
  const eth = {
    requestAccounts: methods.requestAccounts(holder),
    sign: methods.signMessage(holder),
    signTransaction: methods.signTransaction(holder),
    signTypedData,
    signTypedData_v4: signTypedData,
  };
  const personal = { sign: methods.personalSign(holder) };
  return { evm, shared, eth, personal };
}
