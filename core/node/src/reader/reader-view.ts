import type { Blockchain } from "@plinth/chain";
import { coreQueries } from "@plinth/chain";
import type { Chain, Compatibility, SealedHeader } from "@plinth/core";
import { InvariantError } from "@plinth/core";
import type { Part } from "@plinth/core/rpc";
import type { Registries } from "../plugin/registries.js";
import { decodeParams } from "../rpc/decode-params.js";
import { encodeResult } from "../rpc/encode-result.js";
import type { ReaderContext } from "./reader-context.js";

/** How a job sees the chain. */
export interface ViewSettings {
  /** The head of the chain when the job was submitted. */
  readonly head: SealedHeader;
  /** The next block, if the job needs it. */
  readonly next: SealedHeader | undefined;
  /** Throws when the job should stop. */
  readonly interrupt: () => void;
}

/** The dependencies of a view. */
export interface ViewParts {
  readonly context: ReaderContext;
  readonly registries: Registries;
  readonly compatibility: Compatibility;
}

/** The chain as one job of a reader sees it; the next job may reuse it afterwards. */
export class ReaderView {
  readonly #parts: ViewParts;
  readonly #blocks: Blockchain;
  readonly #chain: Omit<Chain, "writer">;
  #interrupt: () => void = () => {};

  constructor(parts: ViewParts) {
    this.#parts = parts;
    this.#blocks = parts.context.openBlocks(() => this.#interrupt());
    this.#chain = { ...parts.context.chain, blocks: this.#blocks };
  }

  /** Starts a job. */
  begin({ head, next, interrupt }: ViewSettings): void {
    this.#interrupt = interrupt;
    this.#blocks.observe(head, next);
  }

  /** Ends the job: nothing interrupts the view any more. */
  end(): void {
    this.#interrupt = () => {};
  }

  /** Runs a query of the core or of a plugin. */
  runQuery(
    name: string,
    params: readonly unknown[],
    closed: AbortSignal = new AbortController().signal,
  ): Promise<unknown> {
    const query = coreQueries[name as keyof typeof coreQueries];
    if (query !== undefined) return query(this.#blocks, ...(params as [never, never]));
    const { registries } = this.#parts;
    const entry = registries.queries.find(name);
    const instance = entry && registries.find(entry.plugin);
    if (entry === undefined || instance === undefined) {
      throw new InvariantError(`unknown query ${name}`);
    }
    return entry.query.run(params[0] as never, this.#callOf(instance.runtime, closed) as never);
  }

  /** Runs a method of a namespace; returns its result as JSON. */
  async runMethod(name: string, given: readonly unknown[], closed: AbortSignal): Promise<Part> {
    const { registries, compatibility } = this.#parts;
    const entry = registries.namespaces.find(name);
    const instance = entry && registries.find(entry.plugin);
    if (entry === undefined || instance === undefined) {
      throw new InvariantError(`the method ${name} does not exist on this thread`);
    }
    const call = this.#callOf(instance.runtime, closed);
    const params = decodeParams(entry.method, given, compatibility);
    return encodeResult(entry.method, await entry.method.handle(params as never, call));
  }

  #callOf(runtime: object | undefined, closed: AbortSignal): object {
    return Object.assign(Object.create(runtime ?? null), {
      chain: this.#chain,
      client: { closed },
      signal: closed,
    });
  }
}
