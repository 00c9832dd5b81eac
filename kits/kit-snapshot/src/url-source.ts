import { messageOf } from "@plinth/core";
import { decompressFile } from "./compress.js";
import { MANIFEST, MAX_MANIFEST_BYTES, parseManifest } from "./manifest.js";
import { unreadable } from "./snapshot-error.js";
import type { SnapshotSource } from "./source.js";

/** Limits of a source in time. */
export interface UrlLimits {
  /** Maximum time without a byte. */
  readonly stallMs?: number;
  /** Minimum average rate of a file. */
  readonly minBytesPerSecond?: number;
}

const DEFAULTS: Required<UrlLimits> = { stallMs: 30_000, minBytesPerSecond: 8 * 2 ** 10 };
const MAX_REDIRECTS = 3;
const PROTOCOLS = ["http:", "https:"];

/** Reads a snapshot from a web server. */
export function openUrl(url: string, limits: UrlLimits = {}): SnapshotSource {
  const base = parseUrl(url);
  const settings = { ...DEFAULTS, ...limits };
  const download = (name: string, maxBytes: number, signal: AbortSignal) =>
    new Download(new URL(name, base), { ...settings, maxBytes, signal }).run();
  return {
    name: base.href,
    async readManifest({ signal }) {
      return parseManifest(await download(MANIFEST, MAX_MANIFEST_BYTES, signal));
    },
    async read(file, { signal }) {
      return decompressFile(await download(file.name, file.compressedBytes, signal), file);
    },
  };
}

/** The address of the folder, with a slash at its end. */
function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !PROTOCOLS.includes(url.protocol)) {
    throw unreadable(text, "expected an address that starts with http:// or https://");
  }
  const place = `${url.origin}${url.pathname}`;
  if (url.username !== "" || url.password !== "") {
    throw unreadable(place, "expected an address without a user and a password");
  }
  if (url.search !== "" || url.hash !== "") {
    throw unreadable(place, "expected the address of a folder, without ? and #");
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

interface DownloadLimits extends Required<UrlLimits> {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A file of a server that may be slow, endless or elsewhere. */
class Download {
  readonly #url: URL;
  readonly #limits: DownloadLimits;
  readonly #expired = new AbortController();

  constructor(url: URL, limits: DownloadLimits) {
    this.#url = url;
    this.#limits = limits;
  }

  async run(): Promise<Uint8Array> {
    const { stallMs, minBytesPerSecond, maxBytes, signal } = this.#limits;
    const stalled = this.#expireAfter(stallMs, `no byte for ${stallMs} ms`);
    const longestMs = stallMs + Math.ceil((maxBytes / minBytesPerSecond) * 1000);
    const slow = this.#expireAfter(longestMs, `not complete after ${longestMs} ms`);
    try {
      return await this.#read(await this.#open(), () => stalled.refresh());
    } catch (error) {
      signal.throwIfAborted();
      const reason = this.#expired.signal.aborted ? this.#expired.signal.reason : error;
      throw unreadable(this.#url.href, reasonOf(reason), error);
    } finally {
      clearTimeout(stalled);
      clearTimeout(slow);
      // Closes a connection that still delivers.
      this.#expired.abort();
    }
  }

  #expireAfter(ms: number, reason: string): NodeJS.Timeout {
    return setTimeout(() => this.#expired.abort(new Error(reason)), ms);
  }

  async #open(): Promise<Response> {
    let url = this.#url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await fetch(url, {
        redirect: "manual",
        headers: { "accept-encoding": "identity" },
        signal: AbortSignal.any([this.#limits.signal, this.#expired.signal]),
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) {
        if (response.status === 200) return response;
        throw new Error(`the server returned ${response.status}`);
      }
      await response.body?.cancel();
      const next = new URL(location, url);
      const isDowngrade = url.protocol === "https:" && next.protocol !== "https:";
      if (isDowngrade || !PROTOCOLS.includes(next.protocol)) {
        throw new Error(`the server redirects to ${next.protocol}`);
      }
      url = next;
    }
    throw new Error(`the server redirects more than ${MAX_REDIRECTS} times`);
  }

  async #read(response: Response, received: () => void): Promise<Uint8Array> {
    const { maxBytes } = this.#limits;
    const declared = Number(response.headers.get("content-length") ?? 0);
    if (declared > maxBytes) throw new Error(`${declared} bytes, expected at most ${maxBytes}`);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      received();
      bytes += part.length;
      if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts);
  }
}

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? messageOf(cause) : messageOf(error);
}
