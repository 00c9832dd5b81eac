import { type Codec, parseHex, RlpError, t, yieldToLoop } from "@plinth/core";
import { undecodable } from "../rpc/rpc-errors.js";
import { decodePrivateTransaction, type PrivateTransaction } from "./private-transaction.js";

/** A signed private transaction as callers send it, with or without `0x`; what is in it is read later. */
export const rawTransaction: Codec<string> = t.withText(
  t.text,
  "Invalid transaction params (missing or incorrect)",
);

/** Reads what a caller sent, in a turn of the event loop of its own: it may be megabytes, of many callers at once. */
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
