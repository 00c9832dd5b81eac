import { RpcError } from "@plinth/core";
import type { ForkRecord } from "../fork-record.js";
import { RemoteInconsistent, RemoteRefusal, RemoteUnreachable } from "../remote/errors.js";
import { findRemoteBlock } from "../remote/read-chain.js";
import type { Remote } from "../remote/remote.js";

/** Reads what is older than the block of a fork from the node that was forked. */
export class OlderBlocks {
  readonly #remote: Remote;
  readonly #record: ForkRecord;
  #verified: Promise<void> | undefined;

  constructor(remote: Remote, record: ForkRecord) {
    this.#remote = remote;
    this.#record = record;
  }

  /** The block of the fork, up to which blocks are those of the other network. */
  get last(): bigint {
    return this.#record.number;
  }

  get isLazy(): boolean {
    return this.#record.isLazy === true;
  }

  /** The first block that is here: a lazy fork has only the header of the other network's. */
  get first(): bigint {
    return this.isLazy ? this.last + 1n : this.last;
  }

  /** The result of the node; rejects with an error that names it. */
  async ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    try {
      await this.#verify();
      return await this.#remote.call(method, params, signal);
    } catch (error) {
      if (error instanceof RemoteRefusal) throw new RpcError(error.rpcCode, error.message);
      if (error instanceof RemoteUnreachable || error instanceof RemoteInconsistent) {
        throw new RpcError(
          -32000,
          `blocks before ${this.first} are read from the node that was forked: ${error.message}`,
        );
      }
      throw error;
    }
  }

  /** Rejects if the node is one of another network, or has replaced the block. All callers wait for it, so none ends it. */
  #verify(): Promise<void> {
    this.#verified ??= this.#verifyBlock().catch((error: unknown) => {
      this.#verified = undefined;
      throw error;
    });
    return this.#verified;
  }

  async #verifyBlock(): Promise<void> {
    const { number, hash } = this.#record;
    const block = await findRemoteBlock(this.#remote, number);
    if (block?.hash === hash) return;
    throw new RemoteInconsistent(
      this.#remote.name,
      `its block ${number} is ${block?.hash ?? "missing"}, not ${hash}: it is not of the network of this fork`,
    );
  }
}
