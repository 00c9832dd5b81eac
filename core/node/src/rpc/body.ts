import { performance } from "node:perf_hooks";
import type { RpcClient } from "@plinth/core";
import { findIdTexts } from "./id-text.js";
import type { Callee } from "./method-call.js";

/** What the calls of one request body share: the client, the clock, the text with their ids. */
export class Body {
  readonly client: RpcClient;
  /** The method of the last call: the members of a batch mostly call one. */
  callee: Callee | undefined;
  readonly #text: string;
  #idTexts: readonly (string | undefined)[] | undefined;
  #now = performance.now();

  constructor(text: string, client: RpcClient) {
    this.#text = text;
    this.client = client;
  }

  /** The time of the last reading of the clock: where a call ended, the next one begins. */
  get now(): number {
    return this.#now;
  }

  /** Reads the clock. */
  readClock(): number {
    this.#now = performance.now();
    return this.#now;
  }

  /**
   * The id of a request as JSON: as it is written if a number cannot represent it. `place` is that
   * of the request among the objects and lists of the body.
   */
  formatId(id: unknown, place: number): string {
    if (typeof id !== "number") return JSON.stringify(id);
    if (Number.isSafeInteger(id)) return `${id}`;
    this.#idTexts ??= findIdTexts(this.#text);
    return this.#idTexts[place] ?? JSON.stringify(id);
  }
}
