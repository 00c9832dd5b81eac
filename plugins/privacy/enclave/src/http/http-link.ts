import { Agent, request as requestPlain } from "node:http";
import { request as requestTls, Agent as TlsAgent } from "node:https";
import { callerOf } from "../peers/caller.js";
import {
  type PeerAnswer,
  type PeerLink,
  type PostSettings,
  Unreachable,
} from "../peers/peer-link.js";
import type { PeerTls } from "./peer-tls.js";

/** Supported versions of the API between managers. */
export const API_VERSIONS: readonly string[] = ["2.1", "3.0", "4.0", "5.0", "v1", "v2"];
export const VERSIONS_HEADER = "tesserasupportedapiversions";

/** A manager that takes longer counts as unreachable. */
const TIMEOUT_MS = 5000;
/** Default size limit: most responses of managers are short. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_SOCKETS = 16;
const BYTES = "application/octet-stream";

/** The versions in a header: repeated, or separated by commas. */
export function readVersions(header: string | readonly string[] | undefined): ReadonlySet<string> {
  const texts = typeof header === "string" ? [header] : (header ?? []);
  const given = new Set(texts.flatMap((text) => text.split(",")).map((version) => version.trim()));
  // Only the known ones.
  return new Set(API_VERSIONS.filter((version) => given.has(version)));
}

/** Reaches other managers over HTTP with keep-alive connections. */
export class HttpLink implements PeerLink {
  readonly #plain = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #tls: TlsAgent;
  readonly #timeoutMs: number;

  constructor({
    tls,
    timeoutMs = TIMEOUT_MS,
  }: { tls?: PeerTls | undefined; timeoutMs?: number } = {}) {
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
    this.#tls = tls?.agent(options, timeoutMs) ?? new TlsAgent(options);
    this.#timeoutMs = timeoutMs;
  }

  async post(
    url: string,
    path: string,
    body: Uint8Array,
    settings: PostSettings = {},
  ): Promise<PeerAnswer> {
    try {
      return await this.#post(new URL(path, url), body, settings);
    } catch (error) {
      throw new Unreachable(url, error);
    }
  }

  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }

  #post(
    target: URL,
    body: Uint8Array,
    { type = BYTES, timeoutMs = this.#timeoutMs, maxAnswerBytes = MAX_ANSWER_BYTES }: PostSettings,
  ): Promise<PeerAnswer> {
    const isTls = target.protocol === "https:";
    const options = {
      method: "POST",
      agent: isTls ? this.#tls : this.#plain,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        "content-type": type,
        "content-length": body.length,
        [VERSIONS_HEADER]: API_VERSIONS.join(","),
      },
    };
    return new Promise((resolve, reject) => {
      const request = (isTls ? requestTls : requestPlain)(target, options, (response) => {
        const parts: Uint8Array[] = [];
        let bytes = 0;
        // Once the response has ended, the socket may be in use by another request.
        const from = callerOf(response.socket);
        response.on("data", (part: Uint8Array) => {
          bytes += part.length;
          parts.push(part);
          if (bytes > maxAnswerBytes) request.destroy(new Error("the response is too long"));
        });
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            body: new Uint8Array(Buffer.concat(parts)),
            from,
          }),
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
