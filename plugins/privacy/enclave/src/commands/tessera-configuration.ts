import { resolve } from "node:path";
import { ConfigError } from "@plinth/core";

/** The supported parts of a Tessera configuration. */
export interface TesseraConfiguration {
  readonly url: string;
  readonly peer: Address;
  readonly node: Address;
  readonly peers: readonly string[];
  /** Private key files, or their contents. */
  readonly keys: readonly ({ readonly path: string } | { readonly text: string })[];
  readonly passwords: readonly string[];
  /** File with one password per line, as in Tessera. */
  readonly passwordFile?: string;
  readonly alwaysSendTo: readonly string[];
  readonly validatesKeys: boolean;
  readonly discovers: boolean;
  readonly servesPeersOnly: boolean;
  /** Unsupported settings, with advice. */
  readonly without: readonly string[];
}

interface Address {
  readonly host: string;
  readonly port: number;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads a configuration; relative paths are resolved against its folder. */
export function readTessera(text: string, folder: string): TesseraConfiguration {
  const config = parse(text);
  const servers = list(config.serverConfigs).map(object);
  const p2p = findServer(servers, "P2P");
  const q2t = findServer(servers, "Q2T");
  const keys = object(config.keys);
  const features = object(config.features);
  return {
    url: String(p2p.serverAddress),
    peer: addressOf(p2p),
    node: addressOf(q2t),
    peers: list(config.peer).map((peer) => String(object(peer).url)),
    keys: list(keys.keyData).map((data) => readKey(object(data), folder)),
    passwords: list(keys.passwords).map(String),
    ...(typeof keys.passwordFile === "string"
      ? { passwordFile: resolve(folder, keys.passwordFile) }
      : {}),
    alwaysSendTo: list(config.alwaysSendTo).map(String),
    validatesKeys: features.enableRemoteKeyValidation === true,
    discovers: config.disablePeerDiscovery !== true,
    servesPeersOnly: config.useWhiteList === true,
    without: findWithout(config, servers),
  };
}

function findWithout(config: Json, servers: readonly Json[]): readonly string[] {
  const hasTls = servers.some(({ sslConfig }) => {
    const tls = object(sslConfig).tls;
    return tls !== undefined && tls !== "OFF";
  });
  return [
    ...(config.jdbc === undefined
      ? []
      : ["jdbc: this manager has its own database, under data-path"]),
    ...(config.mode === "orion"
      ? []
      : ["mode: only orion, which Besu needs, is supported; payload keys have 32 bytes"]),
    ...(hasTls
      ? [
          "sslConfig: set key, certificate and trust mode with tls-key-file, tls-certificate-file and tls-trust",
        ]
      : []),
    ...(config.encryptor === undefined || object(config.encryptor).type === "NACL"
      ? []
      : ["encryptor: only NaCl is supported"]),
  ];
}

function readKey(data: Json, folder: string): { path: string } | { text: string } {
  if (typeof data.privateKeyPath === "string")
    return { path: resolve(folder, data.privateKeyPath) };
  if (data.config !== undefined) return { text: JSON.stringify(data.config) };
  throw problem("keys.keyData: expected privateKeyPath or config for each key");
}

function findServer(servers: readonly Json[], app: string): Json {
  const found = servers.find((server) => server.app === app && server.enabled !== false);
  if (found !== undefined && URL.canParse(String(found.serverAddress))) return found;
  throw problem(`serverConfigs: expected a server with app ${app} and its serverAddress`);
}

/** A Tessera may listen at another address than the one it is reached at. */
function addressOf({ serverAddress, bindingAddress = serverAddress }: Json): Address {
  const { protocol, hostname, port } = new URL(String(bindingAddress));
  const usual = protocol === "https:" ? 443 : 80;
  return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: port === "" ? usual : Number(port) };
}

function parse(text: string): Json {
  try {
    return object(JSON.parse(text));
  } catch {
    // The parser's message quotes the text, which may contain a password.
    throw problem("its configuration is not JSON");
  }
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function problem(text: string): ConfigError {
  return new ConfigError("ENCLAVE_NOT_MIGRATED", {
    message: `Cannot migrate this Tessera: ${text}`,
  });
}
