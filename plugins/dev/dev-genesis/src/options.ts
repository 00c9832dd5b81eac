import { option } from "@plinth/core";
import { isPath } from "./derive-accounts.js";

const MAX_ACCOUNTS = 1000;
/** Maximum balance; more would overflow a word together with the other balances. */
const MAX_ETHER = 10 ** 15;
const MAX_CHAIN_ID = 2 ** 53 - 1;
const MIN_GAS_LIMIT = 5000;
/** Limit of init code, of which the code of a contract is part. */
const MAX_CODE_BYTES = 49_152;
const WORD_COUNTS = [12, 15, 18, 21, 24];

/** Options for block 0. */
export const options = {
  accounts: option.integer({
    summary: "Number of accounts of the mnemonic with ether; 10 if only another option is given.",
    min: 1,
    max: MAX_ACCOUNTS,
  }),
  balance: option.integer({
    summary: "Ether of each of them; 10000 by default.",
    min: 0,
    max: MAX_ETHER,
  }),
  mnemonic: option.text({
    summary: "Mnemonic of the accounts; test test … junk by default.",
    validate: (words) =>
      WORD_COUNTS.includes(words.trim().split(/\s+/).length)
        ? undefined
        : `expected ${WORD_COUNTS.join(", ")} words`,
  }),
  derivationPath: option.text({
    summary: "Parent path of the accounts; m/44'/60'/0'/0/ by default.",
    validate: (path) =>
      isPath(path) ? undefined : "expected a path of numbers, such as m/44'/60'/0'/0/",
  }),
  chainId: option.integer({
    summary: "Chain id of the development chain.",
    min: 1,
    max: MAX_CHAIN_ID,
  }),
  gasLimit: option.integer({
    summary: "Gas limit of its blocks.",
    min: MIN_GAS_LIMIT,
    max: MAX_CHAIN_ID,
  }),
  codeSizeLimit: option.integer({
    summary:
      "Maximum size of contract code in bytes; 24576 by default, at most 49152 (init code limit).",
    min: 1,
    max: MAX_CODE_BYTES,
  }),
};
