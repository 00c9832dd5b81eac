export { addBalance } from "./add-balance.js";
export { autoImpersonateAccount } from "./auto-impersonate-account.js";
export { dealErc20, setErc20Allowance } from "./deal-erc20.js";
export { dropTransaction } from "./drop-transaction.js";
export { dropAllTransactions, removePoolTransactions } from "./drop-transactions.js";
export { dumpState, loadState } from "./dump-state.js";
export { getAutomine } from "./get-automine.js";
export { impersonateAccount } from "./impersonate-account.js";
export { increaseTime } from "./increase-time.js";
export { getIntervalMining, intervalMine, setIntervalSeconds } from "./interval-mining.js";
export { mine } from "./mine.js";
export { mineDetailed } from "./mine-detailed.js";
export { mineMany } from "./mine-many.js";
export { getGenesisTime, metadata, nodeInfo } from "./node-info.js";
export { refused } from "./refused.js";
export { requestAccounts } from "./request-accounts.js";
export { reset } from "./reset.js";
export { revert } from "./revert.js";
export { reorg, rollback } from "./rollback.js";
export { setAutomine } from "./set-automine.js";
export { setBalance } from "./set-balance.js";
export { setCode } from "./set-code.js";
export { setIntervalMining } from "./set-interval-mining.js";
export { setLoggingEnabled } from "./set-logging-enabled.js";
export {
  setBlockGasLimit,
  setCoinbase,
  setNextBlockBaseFeePerGas,
  setPrevRandao,
} from "./set-next-block.js";
export { setNextBlockTimestamp } from "./set-next-block-timestamp.js";
export { setNonce } from "./set-nonce.js";
export { setStorageAt } from "./set-storage-at.js";
export { removeBlockTimestampInterval, setBlockTimestampInterval, setTime } from "./set-time.js";
export { personalSign, signMessage } from "./sign-message.js";
export { signTransaction } from "./sign-transaction.js";
export { signTypedData } from "./sign-typed-data.js";
export { snapshot } from "./snapshot.js";
export { stopImpersonatingAccount } from "./stop-impersonating-account.js";
