import { type Compatibility, InvalidTransaction, RejectedTransaction } from "@plinth/core";
import type { RejectionReason } from "@plinth/core/pool";

/** Besu's message for text that is not a transaction. */
export const INVALID_HEX = "Invalid raw transaction hex";

/** Besu's names for the reasons why its pool rejects a transaction. */
const NAMES: Readonly<Record<RejectionReason, string>> = {
  known: "TRANSACTION_ALREADY_KNOWN",
  "fee-cap": "TX_FEECAP_EXCEEDED",
  "gas-price-too-low": "GAS_PRICE_TOO_LOW",
  "wrong-chain": "WRONG_CHAIN_ID",
  "chain-id-unsupported": "REPLAY_PROTECTED_SIGNATURES_NOT_SUPPORTED",
  "chain-id-missing": "REPLAY_PROTECTED_SIGNATURE_REQUIRED",
  "invalid-signature": "INVALID_SIGNATURE",
  "invalid-blobs": "INVALID_BLOBS",
  "blob-count": "INVALID_TRANSACTION_FORMAT",
  type: "INVALID_TRANSACTION_FORMAT",
  "init-code": "INITCODE_TOO_LARGE",
  "empty-authorization-list": "EMPTY_CODE_DELEGATION",
  "max-fee-below-priority": "MAX_PRIORITY_FEE_PER_GAS_EXCEEDS_MAX_FEE_PER_GAS",
  "blob-gas": "TOTAL_BLOB_GAS_TOO_HIGH",
  "intrinsic-gas": "INTRINSIC_GAS_EXCEEDS_GAS_LIMIT",
  "gas-limit": "EXCEEDS_BLOCK_GAS_LIMIT",
  "gas-cap": "EXCEEDS_TRANSACTION_GAS_LIMIT",
  refused: "PLUGIN_TX_POOL_VALIDATOR",
  "nonce-too-low": "NONCE_TOO_LOW",
  "sender-not-authorized": "TX_SENDER_NOT_AUTHORIZED",
  "nonce-too-far": "NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER",
  "delegated-sender": "TX_SENDER_NOT_AUTHORIZED",
  "replacement-underpriced": "TRANSACTION_REPLACEMENT_UNDERPRICED",
  "upfront-cost": "UPFRONT_COST_EXCEEDS_BALANCE",
  "pool-full": "TX_POOL_DISABLED",
};

/** The decoder's message for an invalid signature, with the number in it. */
const WRONG_V = /^transaction\.v: (\d+)/;

/** Fields that Besu validates after it has decoded the RLP: the type and the signature. */
const AFTER_RLP = /^transaction\.(type|r|s|yParity|signature)\b/;

/** Why a transaction was rejected; `undefined` if the error is a different one. */
export function findRejectionName(
  error: unknown,
  { hasBareErrors }: Pick<Compatibility, "hasBareErrors">,
): string | undefined {
  if (error instanceof RejectedTransaction) return NAMES[error.reason];
  if (!(error instanceof InvalidTransaction)) return undefined;
  const { message } = error;
  const v = WRONG_V.exec(message)?.[1];
  if (v !== undefined) return `An unsupported encoded \`v\` value of ${v} was found`;
  if (!hasBareErrors) return message;
  return AFTER_RLP.test(message) ? INVALID_HEX : "Invalid RLP in raw transaction hex";
}
