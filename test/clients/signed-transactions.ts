import { type Address, type Hex, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { until } from "../network/network-node.js";
import { callNode, type ListedNode } from "../network/program-process.js";
import { RICH } from "./accounts.js";
import type { SentReceipt } from "./explorer-chain.js";

const LIMIT_MS = 30_000;

/** A transaction of the first account; without a recipient it creates a contract. */
export interface Unsigned {
  readonly to?: string;
  readonly data?: string;
  readonly value?: bigint;
}

/** Sends transactions of the first account, signed, to a node without its key, and waits for their receipts. */
export async function sendSigned(
  node: ListedNode,
  transactions: readonly Unsigned[],
): Promise<readonly SentReceipt[]> {
  const nonce = await readNumber(node, "eth_getTransactionCount", [RICH.address, "pending"]);
  const hashes: string[] = [];
  for (const [index, transaction] of transactions.entries()) {
    hashes.push(await submitSigned(node, transaction, nonce + BigInt(index)));
  }
  return Promise.all(hashes.map((hash) => receiptOf(node, hash)));
}

/** Signs a transaction with a nonce, and submits it; returns its hash. */
export async function submitSigned(
  node: ListedNode,
  { to, data = "0x", value = 0n }: Unsigned,
  nonce: bigint,
): Promise<string> {
  await loadCrypto();
  const fields = {
    chainId: await readNumber(node, "eth_chainId"),
    gasPrice: await readNumber(node, "eth_gasPrice"),
    to: to as Address | undefined,
    data: hexToBytes(data as Hex),
  };
  const signed = signTransaction(
    { ...fields, nonce, value, gasLimit: 2_000_000n },
    hexToBytes(RICH.key as Hex),
  );
  return String(await callNode(node, "eth_sendRawTransaction", [toHex(signed)]));
}

async function readNumber(node: ListedNode, method: string, params: readonly unknown[] = []) {
  return BigInt(String(await callNode(node, method, params)));
}

async function receiptOf(node: ListedNode, hash: string): Promise<SentReceipt> {
  let receipt: unknown = null;
  await until(async () => {
    receipt = await callNode(node, "eth_getTransactionReceipt", [hash]);
    return receipt !== null;
  }, LIMIT_MS);
  return receipt as SentReceipt;
}
