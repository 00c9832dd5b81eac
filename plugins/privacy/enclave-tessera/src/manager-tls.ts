import { readFile } from "node:fs/promises";
import { Agent, type AgentOptions } from "node:https";
import { type ConnectionOptions, connect, createSecureContext } from "node:tls";
import { ConfigError, messageOf } from "@plinth/core";
import { KnownFingerprints } from "@plinth/kit-enclave";

/** Files for TLS connections to a manager. */
export interface ManagerTlsFiles {
  readonly keystoreFile?: string | undefined;
  readonly keystorePasswordFile?: string | undefined;
  readonly knownEnclaveFile?: string | undefined;
}

/**
 * Creates agents that present a client certificate, and connect only to known managers if a file
 * lists them.
 */
export async function openManagerTls(
  files: ManagerTlsFiles,
): Promise<(options: AgentOptions) => Agent> {
  const { keystoreFile, keystorePasswordFile, knownEnclaveFile } = files;
  const pfx = keystoreFile && (await read("privacy-tls-keystore-file", keystoreFile));
  const passphrase = keystorePasswordFile && (await readPassword(keystorePasswordFile));
  const client = { ...(pfx && { pfx }), ...(passphrase && { passphrase }) };
  try {
    createSecureContext(client);
  } catch (error) {
    throw unusable("privacy-tls-keystore-file", messageOf(error));
  }
  const known = knownEnclaveFile === undefined ? undefined : await readKnown(knownEnclaveFile);
  return (options) =>
    known === undefined
      ? new Agent({ ...options, ...client })
      : new KnownManagersAgent({ ...options, ...client, rejectUnauthorized: false }, known);
}

/** Trusts the listed certificates, regardless of who signed them. */
class KnownManagersAgent extends Agent {
  readonly #known: KnownFingerprints;

  constructor(options: AgentOptions, known: KnownFingerprints) {
    super(options);
    this.#known = known;
  }

  override createConnection(
    options: ConnectionOptions,
    callback?: (error: Error | null, stream: never) => void,
  ): never {
    const socket = connect({ ...options, rejectUnauthorized: false });
    const name = `${options.host}:${options.port}`;
    socket.once("secureConnect", () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      if (this.#known.find(name, fingerprint256) === "known") callback?.(null, socket as never);
      else
        socket.destroy(
          new Error(`the certificate of ${name} is not in the list of known certificates`),
        );
    });
    socket.once("error", (error) => callback?.(error, undefined as never));
    return undefined as never;
  }
}

async function readKnown(path: string): Promise<KnownFingerprints> {
  await read("privacy-tls-known-enclave-file", path);
  const known = new KnownFingerprints(path);
  try {
    await known.load();
  } catch (error) {
    throw unusable("privacy-tls-known-enclave-file", messageOf(error));
  }
  return known;
}

async function readPassword(path: string): Promise<string> {
  const text = (await read("privacy-tls-keystore-password-file", path)).toString();
  const [line = ""] = text.split(/\r?\n/);
  if (line !== "") return line;
  throw new ConfigError("PRIVACY_TLS_UNUSABLE", {
    message: `Keystore password file is empty: ${path}`,
    option: "privacy-tls-keystore-password-file",
  });
}

async function read(option: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unusable(option, messageOf(error));
  }
}

function unusable(option: string, problem: string): ConfigError {
  return new ConfigError("PRIVACY_TLS_UNUSABLE", {
    message: `Problem with ${option}: ${problem}`,
    option,
  });
}
