import { type Call, method, t, toHex, toQuantity } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import type { dependencies } from "../dependencies.js";
import { findPrivateTransaction } from "../found-transaction.js";
import { transactionHash } from "../transaction-hash.js";

/** `priv_getPrivateTransaction`: the private transaction behind a marker, for its parties. */
export const getPrivateTransaction = method({
  summary:
    "Returns a private transaction by the hash of its marker; null for callers other than its parties.",
  params: { transaction: transactionHash },
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`], result: null },
  async handle({ transaction: text }, call: Call<typeof dependencies>) {
    const hash = transactionHash.read(text, call.compatibility);
    const found = await findPrivateTransaction(hash, call);
    if (found === undefined) return null;
    const { transaction, sender } = found;
    const { to, privateFrom, privateFor, privacyGroupId, restriction } = transaction;
    return {
      from: sender,
      gas: toQuantity(transaction.gasLimit),
      gasPrice: toQuantity(transaction.gasPrice),
      ...(call.compatibility.mode === "besu" ? {} : { hash }),
      input: toHex(transaction.data),
      nonce: toQuantity(transaction.nonce),
      to: to ?? null,
      value: toQuantity(transaction.value),
      v: toQuantity(transaction.v),
      r: toQuantity(transaction.r),
      s: toQuantity(transaction.s),
      privateFrom: toBase64(privateFrom),
      ...(privacyGroupId === undefined
        ? { privateFor: privateFor.map(toBase64) }
        : { privacyGroupId: toBase64(privacyGroupId) }),
      restriction,
    };
  },
});
