import { type Codec, parseHex, RlpError, t, yieldToLoop } from "@plinth/core";
import { undecodable } from "../rpc/rpc-errors.js";
import { decodePrivateTransaction, type PrivateTransaction } from "./private-transaction.js";

/** A signed private transaction as received from a caller, with or without `0x`; decoded later. */
export const rawTransaction: Codec<string> = t.withText(
  t.text,
  "Invalid transaction params (missing or incorrect)",
);

/**
 * Decodes a caller's transaction in a separate event loop turn: it may be megabytes, from many
 * callers at once.
 */
export async function decodeRawTransaction(text: string): Promise<PrivateTransaction> {
  await yieldToLoop();
  const bytes = parseHex(text);
  if (bytes === undefined) throw undecodable();
  try {
    return decodePrivateTransaction(bytes);
  } catch (error) {
    throw error instanceof RlpError ? undecodable() : error;
  }
}
