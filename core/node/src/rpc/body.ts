import { performance } from "node:perf_hooks";
import type { RpcClient } from "@plinth/core";
import { findIdTexts } from "./id-text.js";

/** The client, the clock and the ids of the calls of one request body. */
export class Body {
  readonly client: RpcClient;
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

  /** The id of a request as it is written, by the place of the request among objects and lists. */
  findIdText(place: number): string | undefined {
    this.#idTexts ??= findIdTexts(this.#text);
    return this.#idTexts[place];
  }
}
