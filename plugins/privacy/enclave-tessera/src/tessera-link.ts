import { Agent, request as requestPlain } from "node:http";
import { request as requestTls, Agent as TlsAgent } from "node:https";
import { type Logger, messageOf } from "@plinth/core";
import { type EnclaveLink, EnclaveUnreachable, type LinkAnswer } from "@plinth/kit-enclave";

/** A manager that takes longer counts as unreachable. */
const TIMEOUT_MS = 5000;
const MAX_SOCKETS = 32;
/** Our managers limit payloads to 10 MiB, and base64 is applied twice. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Replaces a response that is too long: a retry would not make it shorter. */
const TOO_LONG: LinkAnswer = { status: 413, body: "the response exceeds 64 MiB" };
const RECEIVE_TYPE = "application/vnd.orion.v1+json";

/** Sends requests to a manager over HTTP with keep-alive connections. */
export class TesseraLink implements EnclaveLink {
  readonly name: string;
  readonly #url: URL;
  readonly #agent: Agent | TlsAgent;
  readonly #log: Logger;

  constructor(
    url: string,
    log: Logger,
    tls?: (options: { keepAlive: boolean; maxSockets: number }) => TlsAgent,
  ) {
    this.#log = log;
    this.#url = new URL(url);
    if (tls !== undefined) this.#url.protocol = "https:";
    this.name = this.#url.origin;
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
    const isTls = this.#url.protocol === "https:";
    this.#agent = tls?.(options) ?? (isTls ? new TlsAgent(options) : new Agent(options));
  }

  async post(
    path: string,
    body: object,
    { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number | undefined } = {},
  ): Promise<LinkAnswer> {
    const begun = performance.now();
    try {
      const answer = await this.#post(path, JSON.stringify(body), timeoutMs);
      const ms = Math.round(performance.now() - begun);
      this.#log.debug(`${this.name}${path} returned ${answer.status} after ${ms} ms`);
      return answer;
    } catch (error) {
      throw new EnclaveUnreachable(this.name, messageOf(error));
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(path: string, body: string, timeoutMs: number): Promise<LinkAnswer> {
    const isTls = this.#url.protocol === "https:";
    const options = {
      method: "POST",
      agent: this.#agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        "content-type": path === "/receive" ? RECEIVE_TYPE : "application/json",
        "content-length": Buffer.byteLength(body),
      },
    };
    return new Promise((resolve, reject) => {
      const target = new URL(path, this.#url);
      const request = (isTls ? requestTls : requestPlain)(target, options, (response) => {
        const parts: Uint8Array[] = [];
        let bytes = 0;
        response.on("data", (part: Uint8Array) => {
          bytes += part.length;
          parts.push(part);
          if (bytes <= MAX_ANSWER_BYTES) return;
          this.#log.error(`${this.name}${path}: ${TOO_LONG.body}; it is skipped`);
          resolve(TOO_LONG);
          request.destroy();
        });
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
        );
      });
      request.on("error", reject);
      // Node.js closes the connection then, without an error.
      request.on("upgrade", (_, socket) => {
        socket.destroy();
        reject(new Error("the response switches protocols"));
      });
      request.end(body);
    });
  }
}
