import { attempt } from "./rpc.js";
import type { Block, Transaction } from "./types.js";

/** A search that led nowhere; the message is for the reader. */
export class NothingFound extends Error {}

/**
 * The page for what a reader searches: a block by its number or hash, a transaction by its hash, an
 * address, or a transaction by its sender and nonce, such as `0x… 7`.
 */
export async function findPage(query: string): Promise<string> {
  const text = query.trim().toLowerCase();
  if (text === "latest") return "block/latest";
  const number = text.replaceAll(/[,_ ]/g, "").replace(/^#/, "");
  if (/^\d{1,18}$/.test(number) || /^0x[0-9a-f]{1,15}$/.test(number)) {
    return `block/${BigInt(number)}`;
  }
  if (/^0x[0-9a-f]{40}$/.test(text)) return `address/${text}`;
  const [, sender, nonce] = /^(0x[0-9a-f]{40})[\s:#/]+(\d{1,15})$/.exec(text) ?? [];
  if (sender !== undefined && nonce !== undefined) return findByNonce(sender, nonce);
  if (/^0x[0-9a-f]{64}$/.test(text)) return findByHash(text);
  throw new NothingFound(
    "Enter a block number, a hash of 32 bytes, an address, or an address and a nonce.",
  );
}

async function findByHash(hash: string): Promise<string> {
  const [transaction, block] = await Promise.all([
    attempt<Transaction | null>("eth_getTransactionByHash", [hash]),
    attempt<Block | null>("eth_getBlockByHash", [hash, false]),
  ]);
  if (block) return `block/${hash}`;
  // An unknown transaction may have left the pool: its page explains that.
  return transaction ? `tx/${transaction.hash}` : `tx/${hash}`;
}

async function findByNonce(sender: string, nonce: string): Promise<string> {
  const hash = await attempt<string | null>("ots_getTransactionBySenderAndNonce", [
    sender,
    Number(nonce),
  ]);
  if (hash) return `tx/${hash}`;
  const found = await attempt<Transaction | null>("eth_getTransactionBySenderAndNonce", [
    sender,
    `0x${BigInt(nonce).toString(16)}`,
  ]);
  if (found) return `tx/${found.hash}`;
  throw new NothingFound(`No transaction of ${sender} with nonce ${nonce} was found.`);
}
