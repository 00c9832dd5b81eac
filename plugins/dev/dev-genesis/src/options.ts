import { option } from "@plinth/core";
import { isPath } from "./derive-accounts.js";

const MAX_ACCOUNTS = 1000;
/** More wei than that do not fit in a word with the other balances. */
const MAX_ETHER = 10 ** 15;
const MAX_CHAIN_ID = 2 ** 53 - 1;
const MIN_GAS_LIMIT = 5000;
/** What the rules let init code have, which the code of a contract is part of. */
const MAX_CODE_BYTES = 49_152;
const WORD_COUNTS = [12, 15, 18, 21, 24];

/** What an operator may say about block 0. */
export const options = {
  accounts: option.integer({
    summary: "How many accounts of the mnemonic have ether; 10 when only another option is given.",
    min: 1,
    max: MAX_ACCOUNTS,
  }),
  balance: option.integer({
    summary: "Ether that each of them has; 10000 when left out.",
    min: 0,
    max: MAX_ETHER,
  }),
  mnemonic: option.text({
    summary: "Words that the accounts are derived from; test test … junk when left out.",
    validate: (words) =>
      WORD_COUNTS.includes(words.trim().split(/\s+/).length)
        ? undefined
        : `expected ${WORD_COUNTS.join(", ")} words`,
  }),
  derivationPath: option.text({
    summary: "Path that the accounts are the children of; m/44'/60'/0'/0/ when left out.",
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
      "Most bytes of a contract's code; 24576 when left out, at most what init code may have: 49152.",
    min: 1,
    max: MAX_CODE_BYTES,
  }),
};
