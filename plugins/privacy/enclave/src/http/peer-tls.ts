import { readFile } from "node:fs/promises";
import { Agent, type AgentOptions } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from "node:tls";
import { type Logger, messageOf } from "@plinth/core";
import { KnownFingerprints } from "@plinth/kit-enclave";

/**
 * How a manager authenticates others: by certificate authorities, by a list, or by trust on first
 * use.
 */
export const TRUST_MODES = ["ca", "whitelist", "tofu"] as const;
export type TrustMode = (typeof TRUST_MODES)[number];

/** Files for TLS between managers. */
export interface PeerTlsSettings {
  readonly keyFile: string;
  readonly certificateFile: string;
  readonly trust: TrustMode;
  /** Certificate authorities, for `ca`; the system's by default. */
  readonly caFile?: string | undefined;
  /** Certificates of managers that this one calls, as `host:port fingerprint`. */
  readonly knownServersFile: string;
  /** Certificates of managers that call this one, as `common-name fingerprint`. */
  readonly knownClientsFile: string;
}

interface Files {
  readonly key: string;
  readonly cert: string;
  readonly ca?: string;
}

const VERSION = "TLSv1.2";

/** Mutual TLS between managers. */
export class PeerTls {
  readonly #settings: PeerTlsSettings;
  readonly #log: Logger;
  readonly #servers: KnownFingerprints;
  readonly #clients: KnownFingerprints;
  #files: Files;
  #changed: (files: Files) => void = () => {};

  private constructor(settings: PeerTlsSettings, log: Logger, files: Files) {
    this.#settings = settings;
    this.#log = log;
    this.#files = files;
    this.#servers = new KnownFingerprints(settings.knownServersFile);
    this.#clients = new KnownFingerprints(settings.knownClientsFile);
  }

  /** Reads the files; throws if they are invalid. */
  static async open(settings: PeerTlsSettings, log: Logger): Promise<PeerTls> {
    const tls = new PeerTls(settings, log, await readFiles(settings));
    await tls.#servers.load();
    await tls.#clients.load();
    return tls;
  }

  /** Reloads the files; on failure the previous ones stay in force. */
  async reload(): Promise<void> {
    try {
      const files = await readFiles(this.#settings);
      await this.#servers.load();
      await this.#clients.load();
      const isSame = files.key === this.#files.key && files.cert === this.#files.cert;
      if (isSame && files.ca === this.#files.ca) return;
      this.#files = files;
      this.#changed(files);
      this.#log.info("the certificate for other managers was replaced");
    } catch (error) {
      this.#log.error(`cannot use the new TLS files, keeping the old ones: ${messageOf(error)}`);
    }
  }

  /** Options of the server for other managers. */
  serverOptions() {
    return { ...this.#context(), requestCert: true, rejectUnauthorized: this.isByAuthority };
  }

  /** Closes connections of untrusted managers, and follows changes of the files. */
  guard(server: {
    setSecureContext(context: object): void;
    prependListener(name: "secureConnection", listener: (socket: TLSSocket) => void): unknown;
  }): void {
    this.#changed = () => server.setSecureContext(this.#context());
    server.prependListener("secureConnection", (socket) => {
      const problem = this.#findClientProblem(socket);
      if (problem === undefined) return;
      this.#log.warn(`a manager at ${socket.remoteAddress} is rejected: ${problem}`);
      socket.destroy();
    });
  }

  /** Connections to other managers, usable once their certificate is trusted. */
  agent(options: AgentOptions, handshakeMs: number): Agent {
    return new PeerAgent(options, (connection, done) =>
      this.#connect(connection, handshakeMs, done),
    );
  }

  /** Whether authorities vouch for certificates, and so for the names in them. */
  get isByAuthority(): boolean {
    return this.#settings.trust === "ca";
  }

  #context() {
    return { ...this.#files, minVersion: VERSION } as const;
  }

  #connect(
    options: ConnectionOptions,
    handshakeMs: number,
    done: (error: Error | null, socket: Duplex | undefined) => void,
  ): void {
    const settings = { ...this.#context(), rejectUnauthorized: this.isByAuthority };
    const socket = connect({ ...options, ...settings });
    const failed = (error: Error) => done(error, undefined);
    const limit = setTimeout(
      () => socket.destroy(new Error("the handshake timed out")),
      handshakeMs,
    );
    socket.once("error", failed);
    socket.once("close", () => clearTimeout(limit));
    socket.once("secureConnect", () => {
      clearTimeout(limit);
      socket.off("error", failed);
      const problem = this.#findServerProblem(socket, `${options.host}:${options.port}`);
      if (problem === undefined) return done(null, socket);
      socket.destroy();
      done(new Error(problem), undefined);
    });
  }

  #findServerProblem(socket: TLSSocket, name: string): string | undefined {
    return this.isByAuthority ? undefined : this.#findProblem(socket, this.#servers, name);
  }

  #findClientProblem(socket: TLSSocket): string | undefined {
    if (this.isByAuthority) return undefined;
    const { CN } = socket.getPeerCertificate().subject ?? {};
    const name = Array.isArray(CN) ? CN[0] : CN;
    if (name === undefined) return "it has no certificate with a common name";
    return this.#findProblem(socket, this.#clients, name);
  }

  #findProblem(socket: TLSSocket, known: KnownFingerprints, name: string): string | undefined {
    const { fingerprint256, valid_to: validTo } = socket.getPeerCertificate();
    if (fingerprint256 === undefined) return "it has no certificate";
    if (Date.parse(validTo) < Date.now()) return `its certificate expired on ${validTo}`;
    const found = known.find(name, fingerprint256);
    if (found === "known") return undefined;
    const isFirst = found === "none" && this.#settings.trust === "tofu";
    if (isFirst && /\s/.test(name)) return "its common name contains spaces, so it is not stored";
    if (!isFirst)
      return `its certificate ${fingerprint256} does not match the known one of ${name}`;
    known
      .remember(name, fingerprint256)
      .catch((error) => this.#log.error(`${name} is not stored: ${messageOf(error)}`));
    return undefined;
  }
}

type Connect = (
  options: ConnectionOptions,
  done: (error: Error | null, socket: Duplex | undefined) => void,
) => void;

class PeerAgent extends Agent {
  readonly #connect: Connect;

  constructor(options: AgentOptions, connectTo: Connect) {
    super(options);
    this.#connect = connectTo;
  }

  override createConnection(
    options: ConnectionOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#connect(options, (error, socket) => callback?.(error, socket as Duplex));
    return undefined;
  }
}

async function readFiles({ keyFile, certificateFile, caFile }: PeerTlsSettings): Promise<Files> {
  const files = {
    key: await readFile(keyFile, "utf8"),
    cert: await readFile(certificateFile, "utf8"),
    ...(caFile === undefined ? {} : { ca: await readFile(caFile, "utf8") }),
  };
  // Throws if they do not match.
  createSecureContext(files);
  return files;
}
