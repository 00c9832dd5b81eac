import type { SealedHeader } from "../blocks/header.js";
import type { Blockchain } from "../chain/blockchain.js";
import { InvariantError } from "../kernel/errors.js";
import type { Registries } from "../node/registries.js";
import { coreQueries } from "../query/queries.js";
import type { Compatibility } from "../rpc/compatibility.js";
import { decodeParams } from "../rpc/decode-params.js";
import { encodeResult } from "../rpc/encode-result.js";
import type { EvmLease } from "./thread-evms.js";
import type { ThreadGround } from "./thread-ground.js";

/** What a job sees the chain as. */
export interface ViewSettings {
  /** The head of the chain when the job was given. */
  readonly head: SealedHeader;
  /** The block that would come next, where the job asks for it. */
  readonly next: SealedHeader | undefined;
  /** Throws when the job is to stop. */
  readonly interrupt: () => void;
}

/** The chain as one job of a thread sees it. */
export class ThreadView {
  readonly #parts: {
    readonly ground: ThreadGround;
    readonly registries: Registries;
    readonly compatibility: Compatibility;
  };
  readonly #lease: EvmLease;
  readonly #blocks: Blockchain;

  constructor(
    { head, next, interrupt }: ViewSettings,
    parts: {
      readonly ground: ThreadGround;
      readonly registries: Registries;
      readonly compatibility: Compatibility;
    },
  ) {
    this.#parts = parts;
    this.#lease = parts.ground.evms.lease(interrupt);
    this.#blocks = parts.ground.openBlocks(this.#lease);
    this.#blocks.observe(head, next);
  }

  /** Runs a query of the core. */
  runQuery(name: string, params: readonly unknown[]): Promise<unknown> {
    const query = coreQueries[name as keyof typeof coreQueries];
    if (query === undefined) throw new InvariantError(`there is no query ${name}`);
    return query(this.#blocks, ...(params as [never, never]));
  }

  /** Runs a method of a namespace; answers its result as JSON. */
  async runMethod(
    name: string,
    given: readonly unknown[],
    closed: AbortSignal,
  ): Promise<string | Uint8Array | AsyncIterable<string | Uint8Array>> {
    const { registries, ground, compatibility } = this.#parts;
    const entry = registries.namespaces.find(name);
    const instance = entry && registries.find(entry.plugin);
    if (entry === undefined || instance === undefined) {
      throw new InvariantError(`the method ${name} is not on this thread`);
    }
    const call = Object.assign(Object.create(instance.runtime ?? null), {
      chain: { ...ground.chain, blocks: this.#blocks },
      client: { closed },
      signal: closed,
    });
    const params = decodeParams(entry.method, given, compatibility.reading);
    return encodeResult(entry.method, await entry.method.handle(params as never, call));
  }

  /** Gives back what the job has taken. */
  close(): void {
    this.#lease.close();
  }
}
