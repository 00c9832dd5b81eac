import {
  type Clock,
  ConfigError,
  type KeyValueStore,
  type Logger,
  loadCrypto,
  messageOf,
} from "@plinth/core";
import {
  HttpLink,
  HttpService,
  keyFromBase64,
  loadSodium,
  Manager,
  nodeRoutes,
  peerRoutes,
  toBase64,
  withSlash,
} from "@plinth/kit-enclave";
import { openKeys } from "./open-keys.js";
import type { EnclaveSettings } from "./read-settings.js";
import { statusRoute } from "./status-route.js";

/** A manager that answers its node and others. */
export interface OpenEnclave {
  readonly manager: Manager;
  /** In base64. */
  readonly publicKeys: readonly string[];
  readonly nodePort: number;
  readonly peerPort: number;
  close(): Promise<void>;
}

/** Opens the manager that a configuration describes; it announces itself from then on. */
export async function openEnclave(
  settings: EnclaveSettings,
  on: { readonly store: KeyValueStore; readonly clock: Clock; readonly log: Logger },
): Promise<OpenEnclave> {
  const { store, clock, log } = on;
  await loadCrypto();
  const sodium = await loadSodium();
  const link = new HttpLink();
  const url = withSlash(settings.url);
  const { maxPayloadSize: maxPayloadBytes } = settings;
  const manager = new Manager({
    sodium,
    store,
    clock,
    log,
    link,
    keys: await openKeys(settings, sodium),
    url,
    peers: settings.peers ?? [],
    alwaysSendTo: (settings.alwaysSendTo ?? []).map((key) => keyFromBase64(key, "always-send-to")),
    maxPayloadBytes,
    onlyConfiguredPeers: !settings.peerDiscovery,
    validatesKeys: settings.remoteKeyValidation,
    redelivers: settings.redelivery,
  });
  const forNode = new HttpService({
    host: settings.nodeHost,
    port: settings.nodePort,
    routes: [...nodeRoutes(manager, { maxPayloadBytes }), statusRoute(manager)],
    log,
    allowedHosts: [],
  });
  const forPeers = new HttpService({
    host: settings.peerHost,
    port: settings.peerPort,
    routes: peerRoutes(manager, { url, maxPayloadBytes }),
    log,
  });
  const close = async () => {
    manager.close();
    await Promise.all([forNode.close(), forPeers.close()]);
    link.close();
  };
  try {
    const peerPort = await listen(forPeers, "peer-port", settings.peerPort);
    const nodePort = await listen(forNode, "node-port", settings.nodePort);
    await manager.start();
    const publicKeys = manager.publicKeys().map(toBase64);
    return { manager, publicKeys, nodePort, peerPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listen(service: HttpService, name: string, port: number): Promise<number> {
  try {
    return await service.listen();
  } catch (error) {
    throw new ConfigError("ENCLAVE_PORT_UNUSABLE", {
      message: `The private transaction manager cannot listen on ${name} ${port}: ${messageOf(error)}`,
      cause: error,
    });
  }
}
