import { readFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import {
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  TLSSocket,
} from "node:tls";
import { ConfigError, messageOf } from "@plinth/core";
import { KnownClients } from "./known-clients.js";
import type { TlsFilePaths } from "./tls-settings.js";

/** The content of a listener's TLS files. */
export interface LoadedTls {
  readonly context: SecureContextOptions;
  readonly knownClients: KnownClients | undefined;
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What the reasons of OpenSSL mean here. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/mac verify failure/i, "the password is wrong"],
  [
    /unsupported/i,
    "it is encrypted with an algorithm that is no longer supported; `openssl pkcs12 -legacy` reads it and writes a new one",
  ],
  [/values? mismatch/i, "key and certificate do not match"],
];

/** Reads the files of a listener; throws if one is invalid, naming it. */
export async function loadTls(
  files: TlsFilePaths,
  settings: SecureContextOptions,
): Promise<LoadedTls> {
  const { truststore, knownClients } = files;
  const ca = truststore === undefined ? undefined : await read(truststore);
  if (truststore !== undefined && !String(ca).includes("-----BEGIN CERTIFICATE-----")) {
    throw invalid(`${truststore}: expected a PEM file with certificates`);
  }
  const context = { ...settings, ...(await readKey(files)), ...(ca && { ca }) };
  const { subject, expiresAt } = describe(createContext(files, context));
  return {
    context,
    knownClients:
      knownClients === undefined
        ? undefined
        : new KnownClients(knownClients, (await read(knownClients)).toString("utf8")),
    subject,
    expiresAt,
  };
}

async function readKey({ keystore, password, certificate, key }: TlsFilePaths) {
  if (keystore !== undefined && password !== undefined) {
    const [passphrase = ""] = (await read(password)).toString("utf8").split(/\r?\n/);
    return { pfx: await read(keystore), passphrase };
  }
  if (certificate === undefined || key === undefined) return {};
  return { cert: await read(certificate), key: await read(key) };
}

function createContext(files: TlsFilePaths, context: SecureContextOptions): SecureContext {
  try {
    return createSecureContext(context);
  } catch (error) {
    const text = messageOf(error);
    const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? text;
    throw invalid(`${files.keystore ?? `${files.certificate}, ${files.key}`}: ${reason}`, error);
  }
}

/** The certificate that a server with this context presents. */
function describe(secureContext: SecureContext): Pick<LoadedTls, "subject" | "expiresAt"> {
  const socket = new TLSSocket(new PassThrough() as never, { isServer: true, secureContext });
  const certificate = socket.getCertificate();
  socket.destroy();
  if (certificate === null || !("valid_to" in certificate)) {
    throw invalid("the key store contains no certificate");
  }
  const { subject, valid_to: validTo } = certificate;
  return { subject: String(subject?.CN ?? ""), expiresAt: Date.parse(validTo) };
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw invalid(`${path} cannot be read: ${messageOf(error)}`, error);
  }
}

function invalid(message: string, cause?: unknown): ConfigError {
  return new ConfigError("TLS_INVALID", { message, cause });
}
