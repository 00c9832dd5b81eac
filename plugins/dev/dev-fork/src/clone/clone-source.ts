import type { Address, Body, Hash, SealedHeader } from "@plinth/core";
import { RemoteRefusal } from "../remote/errors.js";
import { findRemoteBlock } from "../remote/read-chain.js";
import { isWithoutMethod } from "../remote/refusals.js";
import type { Remote, RemoteCall } from "../remote/remote.js";
import { CloneRefused } from "./clone-refused.js";

/** A block that follows the cloned one. */
export interface NextBlock {
  readonly hash: Hash;
  readonly transactions: number;
}

/** The state of one block, at another node. */
export class CloneSource {
  readonly remote: Remote;
  readonly header: SealedHeader;
  /** Index of the last transaction of the block; 0 if it has none. */
  readonly lastIndex: number;
  /** Accounts that may be paid after the last transaction. */
  readonly paidAtEnd: readonly Address[];
  readonly #signal: AbortSignal;
  #next: NextBlock | undefined;

  constructor(
    remote: Remote,
    { header, body, signal }: { header: SealedHeader; body: Body; signal: AbortSignal },
  ) {
    const { transactions, withdrawals = [] } = body;
    this.remote = remote;
    this.header = header;
    this.lastIndex = Math.max(0, transactions.length - 1);
    this.paidAtEnd = [...new Set([header.coinbase, ...withdrawals.map(({ address }) => address)])];
    this.#signal = signal;
  }

  get hash(): Hash {
    return this.header.hash;
  }

  /** The block after it, as soon as there is one. */
  async findNext(): Promise<NextBlock | undefined> {
    if (this.#next !== undefined) return this.#next;
    const found = await findRemoteBlock(this.remote, this.header.number + 1n, this.#signal);
    if (found?.parentHash !== this.hash) return undefined;
    this.#next = { hash: found.hash, transactions: found.transactions.length };
    return this.#next;
  }

  /** The result of a call about this state. */
  ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#explained(this.remote.call(method, params, this.#signal));
  }

  /** The results of calls about this state. */
  askAll(calls: readonly RemoteCall[]): Promise<readonly unknown[]> {
    return this.#explained(this.remote.callAll(calls, this.#signal));
  }

  async #explained<T>(response: Promise<T>): Promise<T> {
    try {
      return await response;
    } catch (error) {
      if (error instanceof RemoteRefusal) throw this.#explain(error);
      throw error;
    }
  }

  #explain(error: RemoteRefusal): CloneRefused {
    const { name } = this.remote;
    if (isWithoutMethod(error)) return withoutMethod(name, error);
    const { number } = this.header;
    return new CloneRefused(
      `${name} does not deliver the state of block ${number} (${this.hash}): ${error.method}: ${error.reason}. If it has removed this state, fork a later block (--fork-block-number, with --fresh after an interrupted start), or a node that keeps more of them (--history-proofs-blocks of Plinth)`,
      { cause: error },
    );
  }
}

/** Why a node without a method cannot be cloned. */
export function withoutMethod(source: string, error: RemoteRefusal): CloneRefused {
  return new CloneRefused(
    `${source} does not offer ${error.method} (${error.reason}), which a clone needs: enable its API DEBUG (--rpc-http-api=ETH,DEBUG of Plinth and Besu), or fork a node that has it. --fork-mode=LAZY reads values when they are needed, without it`,
    { cause: error, allowsLazy: true },
  );
}
