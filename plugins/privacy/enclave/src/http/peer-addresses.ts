import { lookup } from "node:dns/promises";
import { type Clock, type Logger, messageOf } from "@plinth/core";

/** Names are resolved again after this time. */
const RESOLVED_MS = 60_000;
/** Prefix of IPv4-mapped IPv6 addresses. */
const MAPPED = /^::ffff:(?=\d+\.)/;

/** The addresses of the configured managers, for matching callers. */
export class PeerAddresses {
  readonly #hosts: readonly string[];
  readonly #clock: Clock;
  readonly #log: Logger;
  #resolved: { readonly at: number; readonly addresses: Promise<ReadonlySet<string>> } | undefined;

  constructor(urls: readonly string[], { clock, log }: { clock: Clock; log: Logger }) {
    this.#hosts = urls.map((url) => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"));
    this.#clock = clock;
    this.#log = log;
  }

  async has(address: string): Promise<boolean> {
    const now = this.#clock.now();
    if (this.#resolved === undefined || now - this.#resolved.at > RESOLVED_MS) {
      this.#resolved = { at: now, addresses: this.#resolve() };
    }
    return (await this.#resolved.addresses).has(address.replace(MAPPED, ""));
  }

  async #resolve(): Promise<ReadonlySet<string>> {
    const found = await Promise.all(this.#hosts.map((host) => this.#addressesOf(host)));
    return new Set(found.flat());
  }

  /** Empty for a name that cannot be resolved now: its manager is not served until it can. */
  async #addressesOf(host: string): Promise<readonly string[]> {
    try {
      const found = await lookup(host, { all: true });
      return found.map(({ address }) => address.replace(MAPPED, ""));
    } catch (error) {
      this.#log.warn(`the manager at ${host} is not served: ${messageOf(error)}`);
      return [];
    }
  }
}
