import { readFile } from "node:fs/promises";
import { Agent, type AgentOptions } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from "node:tls";
import { type Logger, messageOf } from "@plinth/core";
import { KnownFingerprints } from "@plinth/kit-enclave";

/** How a manager decides whether another is who it says: by authorities, by a list, or by what it saw first. */
export const TRUST_MODES = ["ca", "whitelist", "tofu"] as const;
export type TrustMode = (typeof TRUST_MODES)[number];

/** The files of TLS between managers. */
export interface PeerTlsSettings {
  readonly keyFile: string;
  readonly certificateFile: string;
  readonly trust: TrustMode;
  /** Authorities, for `ca`; those of the system when left out. */
  readonly caFile?: string | undefined;
  /** Certificates of managers that are called, as `host:port fingerprint`. */
  readonly knownServersFile: string;
  /** Certificates of managers that call, as `common-name fingerprint`. */
  readonly knownClientsFile: string;
}

interface Files {
  readonly key: string;
  readonly cert: string;
  readonly ca?: string;
}

const VERSION = "TLSv1.2";

/** TLS between managers, in both directions with certificates. */
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

  /** Reads the files; throws what is wrong with them. */
  static async open(settings: PeerTlsSettings, log: Logger): Promise<PeerTls> {
    const tls = new PeerTls(settings, log, await readFiles(settings));
    await tls.#servers.load();
    await tls.#clients.load();
    return tls;
  }

  /** Reads the files again; where that fails, what was read before stays in force. */
  async reload(): Promise<void> {
    try {
      const files = await readFiles(this.#settings);
      await this.#servers.load();
      await this.#clients.load();
      const isSame = files.key === this.#files.key && files.cert === this.#files.cert;
      if (isSame && files.ca === this.#files.ca) return;
      this.#files = files;
      this.#changed(files);
      this.#log.info("the certificate between managers was replaced");
    } catch (error) {
      this.#log.error(`cannot use the new TLS files, keeping the old ones: ${messageOf(error)}`);
    }
  }

  /** What a server for other managers is made with. */
  serverOptions() {
    return { ...this.#context(), requestCert: true, rejectUnauthorized: this.isByAuthority };
  }

  /** Ends connections of managers that are not trusted, and follows changes of the files. */
  guard(server: {
    setSecureContext(context: object): void;
    prependListener(name: "secureConnection", listener: (socket: TLSSocket) => void): unknown;
  }): void {
    this.#changed = () => server.setSecureContext(this.#context());
    server.prependListener("secureConnection", (socket) => {
      const problem = this.#findClientProblem(socket);
      if (problem === undefined) return;
      this.#log.warn(`a manager at ${socket.remoteAddress} is refused: ${problem}`);
      socket.destroy();
    });
  }

  /** Connections to other managers, which are made once their certificate is trusted. */
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
    const limit = setTimeout(() => socket.destroy(new Error("no handshake in time")), handshakeMs);
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
    if (Date.parse(validTo) < Date.now()) return `its certificate has expired on ${validTo}`;
    const found = known.find(name, fingerprint256);
    if (found === "known") return undefined;
    const isFirst = found === "none" && this.#settings.trust === "tofu";
    if (isFirst && /\s/.test(name))
      return "its common name has blanks, so that it is not remembered";
    if (!isFirst)
      return `its certificate ${fingerprint256} is not the one that is known for ${name}`;
    known
      .remember(name, fingerprint256)
      .catch((error) => this.#log.error(`${name} is not remembered: ${messageOf(error)}`));
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
  // Throws where they do not fit together.
  createSecureContext(files);
  return files;
}
