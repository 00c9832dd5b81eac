import { join } from "node:path";
import type { RunningNode } from "../support/program.js";
import type { Account } from "./accounts.js";
import type { Artifact } from "./artifacts.js";
import { clientFolder } from "./installed.js";

/** A function of a contract, and its arguments. */
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

/** A transaction that the node should reject. The library fills in omitted fields. */
export interface RefusedTransaction {
  readonly from: Account;
  readonly to: string;
  readonly value: bigint;
  readonly nonce?: number;
  readonly gas?: bigint;
}

/** A client library as the tests use it: each `client.mjs` implements it with its library. */
export interface Library extends AsyncDisposable {
  /** Deploys a contract and returns its address. */
  deploy(contract: Artifact, args: readonly unknown[]): Promise<string>;
  read(call: ContractCall): Promise<unknown>;
  /** Sends a transaction with the library's defaults, and returns the gas it used. */
  write(call: ContractCall): Promise<bigint>;
  /** Sends ether at the gas price suggested by the node, as before EIP-1559. */
  sendLegacy(to: string, value: bigint): Promise<void>;
  /** Sends ether with the fees that the library suggests. */
  send(to: string, value: bigint): Promise<void>;
  /** The fees that the library suggests, and the base fee it uses. */
  fees(): Promise<{ readonly gasPrice: bigint; readonly baseFee: bigint | undefined }>;
  estimate(call: ContractCall): Promise<bigint>;
  /** The transfers of a token so far, over HTTP. */
  transfers(token: ContractCall["contract"], address: string): Promise<readonly Transfer[]>;
  /** Subscribes to the transfers of a token over WebSocket; resolves once the node has accepted. */
  subscribe(
    token: ContractCall["contract"],
    address: string,
  ): Promise<AsyncIterator<readonly [Transfer]>>;
  /** Subscribes to the logs of a contract, including reverted ones. */
  watchLogs(
    address: string,
  ): Promise<AsyncIterator<readonly [{ readonly blockNumber: number; readonly removed: boolean }]>>;
  /** Subscribes to the numbers of new blocks. */
  watchHeads(): Promise<AsyncIterator<readonly [number]>>;
  /**
   * A filter for the logs of a contract; each call returns the number of logs since the previous
   * one.
   */
  filter(address: string): Promise<() => Promise<number>>;
  /** The custom error of a call, decoded by the library. */
  revert(call: ContractCall): Promise<{ readonly name: string; readonly args: readonly unknown[] }>;
  /** The library's name for the error with which a transaction is rejected. */
  refusal(transaction: RefusedTransaction): Promise<string>;
}

/** Loads a library from its own package, and connects it to a node. */
export async function openLibrary(
  client: string,
  node: Pick<RunningNode, "url" | "wsUrl">,
  account: Account,
): Promise<Library> {
  const { connect } = await import(join(clientFolder(client), "client.mjs"));
  return connect({ url: node.url, wsUrl: node.wsUrl, account });
}
