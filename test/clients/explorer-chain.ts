import { until } from "../network/network-node.js";
import { type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, RICH } from "./accounts.js";
import { readArtifact } from "./artifacts.js";

const SUPPLY = 10n ** 24n;
const LIMIT_MS = 20_000;
const ETHER = 10n ** 18n;

/** What `eth_getTransactionReceipt` returns of a receipt that tests read. */
export interface SentReceipt {
  readonly transactionHash: string;
  readonly contractAddress: string;
  readonly blockNumber: string;
  readonly blockHash: string;
}

/** A development chain whose accounts are unlocked. */
export interface DevChain extends AsyncDisposable {
  readonly node: RunningNode;
  /** Sends a transaction of the first account, and waits for its receipt. */
  send(transaction: object): Promise<SentReceipt>;
  /** Sends transactions without waiting for each. */
  sendAll(transactions: readonly object[]): Promise<readonly SentReceipt[]>;
}

/** Starts a development chain as `plinth dev` does. */
export async function startDevChain(words: readonly string[] = []): Promise<DevChain> {
  const folder = temporaryFolder();
  const node = await startNode(["--profile=dev-tools", ...words], { folder: folder.path });
  const submit = (transaction: object) =>
    node.rpc("eth_sendTransaction", [{ from: RICH.address, gas: "0x4c4b40", ...transaction }]);
  const receiptOf = async (hash: unknown) => {
    let receipt: unknown = null;
    await until(async () => {
      receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
      return receipt !== null;
    }, LIMIT_MS);
    return receipt as SentReceipt;
  };
  return {
    node,
    send: async (transaction) => receiptOf(await submit(transaction)),
    async sendAll(transactions) {
      const hashes: unknown[] = [];
      for (const each of transactions) hashes.push(await submit(each));
      const receipts: SentReceipt[] = [];
      for (const hash of hashes) receipts.push(await receiptOf(hash));
      return receipts;
    },
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** A word of an argument, without `0x`. */
export function word(value: bigint | number | string): string {
  return BigInt(value).toString(16).padStart(64, "0");
}

/** A token whose supply belongs to the first account, which sends some of it `transfers` times. */
export async function deployToken({ send }: DevChain, transfers: number) {
  const { contractAddress: address } = await send({
    data: readArtifact("Token").bytecode + word(SUPPLY),
  });
  let last: SentReceipt | undefined;
  for (let count = 1; count <= transfers; count++) {
    const amount = word(BigInt(count) * ETHER);
    last = await send({ to: address, data: `0xa9059cbb${word(FRIEND.address)}${amount}` });
  }
  return { address, last };
}
