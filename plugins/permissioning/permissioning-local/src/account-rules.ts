import type { ListRules } from "./allowlist.js";
import { AllowlistError } from "./allowlist-error.js";
import { refused } from "./allowlist-file.js";

const ACCOUNT = /^0x[0-9a-fA-F]{40}$/;

const texts = {
  empty: "Request contains an empty list of accounts",
  invalid: "Request contains an invalid account",
  duplicate: "Request contains duplicate accounts",
  existing: "Cannot add an existing account to allowlist",
  absent: "Cannot remove an absent account from allowlist",
};

/** Accounts are addresses, compared case-insensitively. */
export const accountRules: ListRules = {
  keys: { name: "accounts-allowlist", old: "accounts-whitelist" },
  texts,
  allowsRepeats: false,
  async canonical(text) {
    if (!ACCOUNT.test(text)) throw refused(`Invalid account ${text}`);
    return text.toLowerCase();
  },
  async verifyRequest(request) {
    if (!request.every((text) => ACCOUNT.test(text))) throw new AllowlistError(texts.invalid);
    const accounts = request.map((text) => text.toLowerCase());
    if (new Set(accounts).size < accounts.length) throw new AllowlistError(texts.duplicate);
    return accounts;
  },
  verifyRemoval() {},
};
