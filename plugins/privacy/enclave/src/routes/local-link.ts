import { yieldToLoop } from "@plinth/core";
import { EnclaveError, type EnclaveLink, type LinkAnswer, restAfter } from "@plinth/kit-enclave";
import type { Route } from "../http/http-service.js";

/** The node has no connection. */
const NODE = { address: "" };
const HEADERS = { "content-type": "application/json" };

/**
 * Calls a manager in the same process through the routes that it serves to others.
 *
 * Encryption and decryption block the thread: of concurrent requests, one is served per turn of the event loop.
 */
export class LocalLink implements EnclaveLink {
  readonly name = "of this node";
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(routes: readonly Route[]) {
    this.#routes = new Map(routes.map((route) => [route.path, route]));
  }

  async post(path: string, body: object): Promise<LinkAnswer> {
    const route = this.#routes.get(path);
    if (route === undefined) return { status: 404, body: `unknown path ${path}` };
    try {
      await yieldToLoop();
      const call = { caller: NODE, headers: HEADERS, body: Buffer.from(JSON.stringify(body)) };
      await restAfter(call.body.length);
      const answer = await route.handle(call);
      const text = answer.body ?? "";
      await yieldToLoop();
      return {
        status: answer.status,
        body: typeof text === "string" ? text : Buffer.from(text).toString(),
      };
    } catch (error) {
      if (error instanceof EnclaveError) return { status: error.status, body: error.message };
      throw error;
    }
  }
}
