import { createMemoryStorageDriver, silentLogs } from "@plinth/core";
import { FakeClock } from "@plinth/core/testing";
import {
  type Caller,
  EnclaveError,
  type KeyPair,
  Manager,
  type ManagerSettings,
  type PeerLink,
  type Sodium,
  toBase64,
  Unreachable,
} from "@plinth/kit-enclave";

const VERSIONS = new Set(["2.1", "3.0", "4.0", "5.0", "v1", "v2"]);

/** Managers that reach each other without sockets; those that are down are not reached. */
export class MemoryManagers {
  readonly clock = new FakeClock(1_000_000);
  readonly down = new Set<string>();
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
      maxPayloadBytes: 1_000_000,
      ...more,
    });
    this.#managers.set(url, manager);
    return manager;
  }

  /** Lets all that are up announce themselves, until everyone knows everyone. */
  async meet(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      for (const [url, manager] of this.#managers) {
        if (!this.down.has(url)) await manager.discovery.announce();
      }
    }
  }

  /** The way to others of the manager at an address. */
  #link(own: string): PeerLink {
    return {
      post: async (url, path, body) => {
        const manager = this.#managers.get(url);
        if (manager === undefined || this.down.has(url)) throw new Unreachable(url, "down");
        const from = { address: url };
        try {
          return { ...(await answer(manager, path, body, { address: own })), from };
        } catch (error) {
          if (!(error instanceof EnclaveError)) throw error;
          return { status: error.status, body: new TextEncoder().encode(error.message), from };
        }
      },
    };
  }
}

async function answer(manager: Manager, path: string, body: Uint8Array, caller: Caller) {
  const text = (value: string) => new TextEncoder().encode(value);
  if (path === "/partyinfo") {
    return { status: 200, body: await manager.discovery.accept(body, VERSIONS) };
  }
  if (path === "/partyinfo/validate") return { status: 200, body: text(manager.validate(body)) };
  if (path === "/push") {
    return { status: 201, body: text(toBase64(await manager.payloads.accept(body, caller))) };
  }
  if (path === "/resend") {
    const { publicKey } = JSON.parse(Buffer.from(body).toString());
    await manager.payloads.resendAll(Buffer.from(publicKey, "base64"));
    return { status: 200, body: new Uint8Array() };
  }
  await manager.groups.accept(body, caller);
  return { status: 200, body: new Uint8Array() };
}
