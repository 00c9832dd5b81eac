import { createMemoryStorageDriver, type KeyValueStore, loadCrypto } from "@plinth/core";
import type { EnclaveClient } from "@plinth/kit-enclave";
import { createKeyPair, type KeyPair, loadSodium, type Manager } from "@plinth/plugin-enclave/api";
import { MemoryManagers } from "./memory-managers.js";

/** A manager in a network of several, with the client of its node. */
export interface MemberSite {
  readonly url: string;
  readonly key: Uint8Array;
  readonly pair: KeyPair;
  readonly store: KeyValueStore;
  readonly manager: Manager;
  readonly client: EnclaveClient;
}

/** Managers that know each other. */
export async function openSites<const N extends readonly string[]>(
  ...names: N
): Promise<{ network: MemoryManagers; sites: { [K in keyof N]: MemberSite } }> {
  await loadCrypto();
  const sodium = await loadSodium();
  const network = new MemoryManagers(sodium);
  const sites: MemberSite[] = [];
  for (const name of names) {
    sites.push(await openSite(network, `http://${name}.test/`, createKeyPair(sodium)));
  }
  await network.meet();
  return { network, sites: sites as { [K in keyof N]: MemberSite } };
}

/** The same manager with its key, and without its stored data. */
export async function loseAll(network: MemoryManagers, site: MemberSite): Promise<MemberSite> {
  site.manager.close();
  const fresh = await openSite(network, site.url, site.pair);
  await network.meet();
  return fresh;
}

async function openSite(network: MemoryManagers, url: string, pair: KeyPair): Promise<MemberSite> {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const manager = await network.add(url, pair, { store });
  return { url, key: pair.publicKey, pair, store, manager, client: network.client(url) };
}
