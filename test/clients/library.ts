import { join } from "node:path";
import type { RunningNode } from "../support/program.js";
import type { Account } from "./accounts.js";
import type { Artifact } from "./artifacts.js";
import { clientFolder } from "./installed.js";

/** A function of a contract, and what it is called with. */
export interface ContractCall {
  readonly contract: Artifact;
  readonly address: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The event `Transfer` of a token. */
export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
}

/** A transaction that the node is to refuse. What is left out is for the library to fill in. */
export interface RefusedTransaction {
  readonly from: Account;
  readonly to: string;
  readonly value: bigint;
  readonly nonce?: number;
  readonly gas?: bigint;
}

/** A client library as the tests use it: each `client.mjs` says it in the words of its library. */
export interface Library extends AsyncDisposable {
  /** Deploys a contract and returns its address. */
  deploy(contract: Artifact, args: readonly unknown[]): Promise<string>;
  read(call: ContractCall): Promise<unknown>;
  /** Sends a transaction with what the library fills in, and returns the gas it used. */
  write(call: ContractCall): Promise<bigint>;
  /** Sends ether at the gas price that the node suggests, as before EIP-1559. */
  sendLegacy(to: string, value: bigint): Promise<void>;
  /** Sends ether with the fees that the library thinks right. */
  send(to: string, value: bigint): Promise<void>;
  /** What the library says a transaction should pay, and the base fee it knows of. */
  fees(): Promise<{ readonly gasPrice: bigint; readonly baseFee: bigint | undefined }>;
  estimate(call: ContractCall): Promise<bigint>;
  /** The transfers of a token so far, over HTTP. */
  transfers(token: ContractCall["contract"], address: string): Promise<readonly Transfer[]>;
  /** Subscribes to the transfers of a token over WebSocket; resolves once the node has agreed. */
  subscribe(
    token: ContractCall["contract"],
    address: string,
  ): Promise<AsyncIterator<readonly [Transfer]>>;
  /** Subscribes to the logs of a contract, with those of blocks that were taken back. */
  watchLogs(
    address: string,
  ): Promise<AsyncIterator<readonly [{ readonly blockNumber: number; readonly removed: boolean }]>>;
  /** Subscribes to the numbers of new blocks. */
  watchHeads(): Promise<AsyncIterator<readonly [number]>>;
  /** A filter for the logs of a contract; each call answers how many there are since the one before. */
  filter(address: string): Promise<() => Promise<number>>;
  /** The custom error that a call ends with, decoded by the library. */
  revert(call: ContractCall): Promise<{ readonly name: string; readonly args: readonly unknown[] }>;
  /** What the library calls the error that a transaction is refused with. */
  refusal(transaction: RefusedTransaction): Promise<string>;
}

/** Loads a library from the package of its own, and connects it to a node. */
export async function openLibrary(
  client: string,
  node: Pick<RunningNode, "url" | "wsUrl">,
  account: Account,
): Promise<Library> {
  const { connect } = await import(join(clientFolder(client), "client.mjs"));
  return connect({ url: node.url, wsUrl: node.wsUrl, account });
}
