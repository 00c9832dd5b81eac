import {
  type Clock,
  ConfigError,
  type KeyValueStore,
  type Logger,
  loadCrypto,
  messageOf,
} from "@plinth/core";
import { type EnclaveLink, keyFromBase64, toBase64 } from "@plinth/kit-enclave";
import { withSlash } from "../codec/party-info.js";
import { loadSodium } from "../crypto/sodium.js";
import { HttpLink } from "../http/http-link.js";
import { HttpService, type Route } from "../http/http-service.js";
import { PeerAddresses } from "../http/peer-addresses.js";
import { PeerTls } from "../http/peer-tls.js";
import { Manager } from "../manager.js";
import { LocalLink } from "../routes/local-link.js";
import { nodeRoutes } from "../routes/node-api.js";
import { peerRoutes } from "../routes/peer-api.js";
import { resendRoute } from "../routes/resend-route.js";
import { statusRoute } from "../routes/status-route.js";
import { openKeys } from "./open-keys.js";
import type { EnclaveSettings } from "./read-settings.js";

const RELOAD_MS = 5000;

/** A manager that serves its node and other managers. */
export interface OpenEnclave {
  readonly manager: Manager;
  readonly link: EnclaveLink;
  /** In base64. */
  readonly publicKeys: readonly string[];
  readonly nodePort: number;
  readonly peerPort: number;
  close(): Promise<void>;
}

/** Opens the manager that a configuration describes; it announces itself from then on. */
export async function openEnclave(
  settings: EnclaveSettings,
  on: {
    readonly store: KeyValueStore;
    readonly clock: Clock;
    readonly log: Logger;
    /** Called with the path of a request and the status of its response. */
    readonly answered: (path: string, status: number) => void;
    /** Routes for the node beyond those of Tessera. */
    readonly moreRoutes?: readonly Route[];
  },
): Promise<OpenEnclave> {
  const { store, clock, log, answered, moreRoutes = [] } = on;
  await loadCrypto();
  const sodium = await loadSodium();
  const tls = await openTls(settings, log);
  const peerLink = new HttpLink({ tls });
  const url = withSlash(settings.url);
  const { maxPayloadSize: maxPayloadBytes } = settings;
  const manager = new Manager({
    sodium,
    store,
    clock,
    log,
    link: peerLink,
    keys: await openKeys(settings, sodium),
    url,
    peers: settings.peers ?? [],
    alwaysSendTo: (settings.alwaysSendTo ?? []).map((key) => keyFromBase64(key, "always-send-to")),
    maxPayloadBytes,
    onlyConfiguredPeers: !settings.peerDiscovery,
    validatesKeys: settings.remoteKeyValidation,
    redelivers: settings.redelivery,
  });
  const routes = nodeRoutes(manager, { maxPayloadBytes });
  const forNode = new HttpService({
    host: settings.nodeHost,
    port: settings.nodePort,
    routes: [...routes, statusRoute(manager), resendRoute(manager), ...moreRoutes],
    log,
    answered,
    allowedHosts: settings.nodeHostAllowlist ?? [],
  });
  const callers = settings.peerAllowlist
    ? new PeerAddresses(settings.peers ?? [], { clock, log })
    : undefined;
  const forPeers = new HttpService({
    host: settings.peerHost,
    port: settings.peerPort,
    routes: peerRoutes(manager, { url, maxPayloadBytes }),
    log,
    tls,
    answered,
    ...(callers && { admits: (address) => callers.has(address) }),
  });
  let stopReloading = () => {};
  const close = async () => {
    stopReloading();
    manager.close();
    await Promise.all([forNode.close(), forPeers.close()]);
    peerLink.close();
  };
  try {
    const peerPort = await listen(forPeers, "peer-port", settings.peerPort);
    const nodePort = await listen(forNode, "node-port", settings.nodePort);
    manager.start();
    if (tls !== undefined) stopReloading = reloadEvery(tls, clock);
    const publicKeys = manager.publicKeys().map(toBase64);
    const link = new LocalLink(routes);
    return { manager, link, publicKeys, nodePort, peerPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openTls(settings: EnclaveSettings, log: Logger): Promise<PeerTls | undefined> {
  const { tlsKeyFile: keyFile, tlsCertificateFile: certificateFile } = settings;
  const isWanted = new URL(settings.url).protocol === "https:";
  if (!isWanted && keyFile === undefined && certificateFile === undefined) return undefined;
  if (!isWanted || keyFile === undefined || certificateFile === undefined) {
    throw tlsProblem(
      "tls-key-file, tls-certificate-file and a url with https:// must be set together",
    );
  }
  try {
    return await PeerTls.open(
      {
        keyFile,
        certificateFile,
        trust: settings.tlsTrust,
        caFile: settings.tlsCaFile,
        knownServersFile: settings.tlsKnownServersFile,
        knownClientsFile: settings.tlsKnownClientsFile,
      },
      log,
    );
  } catch (error) {
    throw tlsProblem(messageOf(error));
  }
}

/** Reloads files when they change; returns a function that ends this. */
function reloadEvery(tls: PeerTls, clock: Clock): () => void {
  let stop = () => {};
  const wait = () => {
    stop = clock.after(RELOAD_MS, () => void tls.reload().then(wait));
  };
  wait();
  return () => stop();
}

function tlsProblem(problem: string): ConfigError {
  return new ConfigError("ENCLAVE_TLS_UNUSABLE", {
    message: `TLS between private transaction managers is not usable: ${problem}`,
  });
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
