import { createMemoryStorageDriver } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { EnclaveClient, EnclaveError, type EnclaveLink } from "@plinth/kit-enclave";
import {
  type Caller,
  type KeyPair,
  LocalLink,
  Manager,
  type ManagerSettings,
  nodeRoutes,
  type PeerAnswer,
  type PeerLink,
  peerRoutes,
  type Sodium,
  Unreachable,
} from "@plinth/plugin-enclave/api";
import { FakeClock } from "@plinth/testing";

const HEADERS = { tesserasupportedapiversions: "2.1,3.0,4.0,5.0,v1,v2" };
const MAX_BYTES = 1_000_000;

/** The false response of a manager; `undefined` if it does not lie. */
export type Lie = (
  path: string,
  body: Uint8Array,
) => Promise<Pick<PeerAnswer, "status" | "body"> | undefined>;

/** Managers that reach each other without sockets, unless they are down. */
export class MemoryManagers {
  readonly clock = new FakeClock(1_000_000);
  readonly down = new Set<string>();
  /** By the addresses of the liars. */
  readonly lies = new Map<string, Lie>();
  /** The requests between managers. */
  readonly asked: { readonly url: string; readonly path: string }[] = [];
  readonly #sodium: Sodium;
  readonly #managers = new Map<string, Manager>();

  constructor(sodium: Sodium) {
    this.#sodium = sodium;
  }

  async add(url: string, pair: KeyPair, more: Partial<ManagerSettings> = {}): Promise<Manager> {
    const manager = new Manager({
      sodium: this.#sodium,
      store: await createMemoryStorageDriver().open({ folder: "" }),
      clock: this.clock,
      log: silentLogs.for("enclave"),
      link: this.#link(url),
      keys: [pair],
      url,
      peers: [...this.#managers.keys()],
      maxPayloadBytes: MAX_BYTES,
      ...more,
    });
    this.#managers.set(url, manager);
    return manager;
  }

  /** Lets all running ones announce themselves, until all know each other. */
  async meet(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      for (const [url, manager] of this.#managers) {
        if (!this.down.has(url)) await manager.discovery.announce();
      }
    }
  }

  /** The link of a node to its manager. */
  client(url: string): EnclaveClient {
    return new EnclaveClient(this.link(url));
  }

  /** The same without a client: nodes create their own. */
  link(url: string): EnclaveLink {
    const manager = this.#get(url);
    return new LocalLink(nodeRoutes(manager, { maxPayloadBytes: MAX_BYTES }));
  }

  /** Sends a request to a manager from an address. */
  async post(url: string, path: string, body: Uint8Array, caller: Caller): Promise<PeerAnswer> {
    const from = { address: url };
    const lie = await this.lies.get(url)?.(path, body);
    if (lie !== undefined) return { ...lie, from };
    const routes = peerRoutes(this.#get(url), { url, maxPayloadBytes: MAX_BYTES });
    const route = routes.find((found) => found.method === "POST" && found.path === path);
    if (route === undefined) return { status: 404, body: Buffer.from("HTTP 404 Not Found"), from };
    if (body.length > route.maxBytes) return { status: 413, body: new Uint8Array(), from };
    try {
      const { status, body: answer = "" } = await route.handle({ caller, headers: HEADERS, body });
      return { status, body: Buffer.from(answer as Uint8Array), from };
    } catch (error) {
      if (!(error instanceof EnclaveError)) throw error;
      return { status: error.status, body: Buffer.from(error.message), from };
    }
  }

  /** The link of the manager at an address to others. */
  #link(own: string): PeerLink {
    return {
      post: async (url, path, body) => {
        if (!this.#managers.has(url) || this.down.has(url)) throw new Unreachable(url, "down");
        this.asked.push({ url, path });
        return this.post(url, path, body, { address: own });
      },
    };
  }

  #get(url: string): Manager {
    const manager = this.#managers.get(url);
    if (manager === undefined) throw new Error(`there is no manager at ${url}`);
    return manager;
  }
}
