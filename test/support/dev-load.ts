import { readFileSync } from "node:fs";
import { type Address, findBytes, loadCrypto, signTransaction, toHex } from "@plinth/core";
import { DEV_PROFILE_GENESIS, type RunningNode } from "./program.js";

/** What a caller was told of a transaction. */
export interface Receipt {
  readonly transactionHash: string;
  readonly from: string;
  readonly blockHash: string;
  readonly blockNumber: string;
}

const SINK = "0x00000000000000000000000000000000000000b0";

/** The accounts of the development profile with their keys. */
export function devAccounts(): readonly { readonly address: Address; readonly key: Uint8Array }[] {
  const { alloc } = JSON.parse(readFileSync(DEV_PROFILE_GENESIS, "utf8"));
  return Object.entries<{ readonly privateKey: string }>(alloc).map(([digits, { privateKey }]) => ({
    address: `0x${digits}`,
    key: findBytes(privateKey) ?? new Uint8Array(),
  }));
}

/** One of the accounts of the development profile, sending transfers as fast as they are answered. */
export function createSender(node: RunningNode, index: number) {
  const account = devAccounts()[index];
  if (account === undefined) throw new RangeError(`there is no account ${index}`);
  const { address, key } = account;
  let nonce: bigint | undefined;
  /** Sends a transfer and waits for its receipt. */
  const send = async (): Promise<Receipt> => {
    await loadCrypto();
    nonce ??= BigInt(String(await node.rpc("eth_getTransactionCount", [address, "pending"])));
    const transfer = { chainId: 1337n, nonce, gasLimit: 21_000n, to: SINK, value: 1n } as const;
    const fees = { gasPrice: 2_000_000_000n, data: new Uint8Array() };
    const raw = toHex(signTransaction({ ...transfer, ...fees }, key));
    const hash = await node.rpc("eth_sendRawTransaction", [raw]);
    nonce += 1n;
    return (await node.rpc("eth_getTransactionReceipt", [hash])) as Receipt;
  };
  return {
    send,
    /** Adds every receipt that it sees, until the node no longer answers. */
    async sendUntilClosed(seen: Receipt[]): Promise<void> {
      try {
        for (;;) seen.push(await send());
      } catch (error) {
        // A connection that breaks is what the test is about; an error that the node tells is not.
        if (!(error instanceof Error)) throw new Error(JSON.stringify(error));
      }
    },
  };
}
