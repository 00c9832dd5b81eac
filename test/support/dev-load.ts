import { readFileSync } from "node:fs";
import { type Address, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction, type UnsignedTransaction } from "@plinth/core/blocks";
import { until } from "./poller.js";
import { DEV_PROFILE_GENESIS, type RunningNode } from "./program.js";

/** A receipt as returned to a caller. */
export interface Receipt {
  readonly transactionHash: string;
  readonly from: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly contractAddress: Address;
}

const SINK = "0x00000000000000000000000000000000000000b0";

/** The accounts of the development profile with their keys. */
export function devAccounts(): readonly { readonly address: Address; readonly key: Uint8Array }[] {
  const { alloc } = JSON.parse(readFileSync(DEV_PROFILE_GENESIS, "utf8"));
  return Object.entries<{ readonly privateKey: string }>(alloc).map(([digits, { privateKey }]) => ({
    address: `0x${digits}`,
    key: hexToBytes(privateKey),
  }));
}

/**
 * One of the accounts of the development profile, sending transfers as fast as they are
 * acknowledged.
 */
export function createSender(node: RunningNode, index: number) {
  const account = devAccounts()[index];
  if (account === undefined) throw new RangeError(`there is no account ${index}`);
  const { address, key } = account;
  let nonce: bigint | undefined;
  const submit = async (fields: Pick<UnsignedTransaction, "to" | "data" | "gasLimit">) => {
    await loadCrypto();
    nonce ??= BigInt(String(await node.rpc("eth_getTransactionCount", [address, "pending"])));
    const usual = { chainId: 1337n, nonce, value: 0n, gasPrice: 2_000_000_000n };
    const raw = toHex(signTransaction({ ...usual, ...fields }, key));
    const hash = await node.rpc("eth_sendRawTransaction", [raw]);
    nonce += 1n;
    return hash;
  };
  /** Sends a transfer and waits for its receipt. */
  const send = async (): Promise<Receipt> => {
    const hash = await submit({ to: SINK, data: new Uint8Array(), gasLimit: 21_000n });
    return (await node.rpc("eth_getTransactionReceipt", [hash])) as Receipt;
  };
  return {
    send,
    /** Creates a contract with init code, and waits for its receipt. */
    async sendData(code: string): Promise<Receipt> {
      const data = hexToBytes(code);
      const hash = await submit({ to: undefined, data, gasLimit: 3_000_000n });
      return until(async () => {
        const receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
        return receipt === null ? undefined : (receipt as Receipt);
      });
    },
    /** Calls a contract in a transaction, and waits for its receipt. */
    async sendTo(to: Address, data: string): Promise<Receipt> {
      const bytes = hexToBytes(data);
      const hash = await submit({ to, data: bytes, gasLimit: 1_000_000n });
      return (await node.rpc("eth_getTransactionReceipt", [hash])) as Receipt;
    },
    /** Adds every reported receipt, until the node no longer responds. */
    async sendUntilClosed(seen: Receipt[]): Promise<void> {
      try {
        for (;;) seen.push(await send());
      } catch (error) {
        // A broken connection is expected by the test; an error response of the node is not.
        if (!(error instanceof Error)) throw new Error(JSON.stringify(error));
      }
    },
  };
}
