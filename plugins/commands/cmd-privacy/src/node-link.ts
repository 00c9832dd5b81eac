import { type Codec, PlinthError } from "@plinth/core";
import { printable } from "@plinth/kit-rpc";
import {
  type AccessFlags,
  type Asked,
  ask,
  findAccess,
  NodeUnreachable,
  Refusal,
} from "@plinth/plugin-cmd-status/api";
import { NodeRefusal } from "./node-refusal.js";

/** A marker waits up to 15 s for capacity in the pool, and managers take a few seconds. */
const TIMEOUT_MS = 30_000;

/** A running node that commands query about private transactions. */
export class NodeLink {
  readonly #asked: Asked;

  private constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** The node of the flags, otherwise that of the data folder. */
  static async open(
    flags: AccessFlags,
    {
      dataPath,
      signal,
      timeoutMs = TIMEOUT_MS,
    }: {
      readonly dataPath: string;
      readonly signal: AbortSignal;
      readonly timeoutMs?: number;
    },
  ): Promise<NodeLink> {
    return new NodeLink({ ...(await findAccess(flags, dataPath)), signal, timeoutMs });
  }

  get url(): string {
    return this.#asked.url;
  }

  /** Calls a method; rejects with `NodeRefusal` if the node returns an error. */
  async ask<T>(method: string, codec: Codec<T>, params: readonly unknown[] = []): Promise<T> {
    try {
      return await ask(this.#asked, method, codec, params);
    } catch (error) {
      if (error instanceof Refusal) throw new NodeRefusal(this.url, error);
      if (!(error instanceof NodeUnreachable)) throw error;
      throw new PlinthError("NODE_SILENT", {
        message: printable(
          `The node at ${this.url} does not respond: ${error.message}. Is it running? Name another one with --url.`,
        ),
        cause: error,
      });
    }
  }

  /** Same; `undefined` if the node does not have the method, or does not offer it here. */
  async askIfOffered<T>(
    method: string,
    codec: Codec<T>,
    params: readonly unknown[] = [],
  ): Promise<T | undefined> {
    try {
      return await this.ask(method, codec, params);
    } catch (error) {
      if (error instanceof NodeRefusal && error.isMissingMethod) return undefined;
      throw error;
    }
  }
}
