import { stat } from "node:fs/promises";
import type { RequestListener, Server, ServerOptions } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import {
  type Clock,
  type Health,
  type Logger,
  messageOf,
  type NodeHooks,
  type OptionValues,
  systemClock,
} from "@plinth/core";
import { DenialLog } from "../access/denial-log.js";
import type { LoadedTls } from "./load-tls.js";
import { readTlsConfig, type TlsNames, type TlsOptions } from "./tls-options.js";
import { readTlsSettings, type TlsSettings } from "./tls-settings.js";

/** The part of a plugin's node that TLS registers with. */
export interface TlsNode {
  readonly log: Logger;
  readonly health: { check(name: string, check: () => Health): void };
  readonly hooks: Pick<NodeHooks, "lifecycle">;
  onStart(start: (runtime: { readonly clock: Clock }) => void): void;
  onReload(reload: () => Promise<void>): void;
}

/** How often files are checked for changes. */
const CHECK_MS = 5000;
/** A client has to complete its handshake within this time. */
const HANDSHAKE_MS = 10_000;
const DAY_MS = 86_400_000;
/** The operator is warned this many days before a certificate expires. */
const WARNING_DAYS = 14;

/** TLS on a listener: its files, which are reloaded when they change, and the allowed clients. */
export class TlsListener {
  readonly #settings: TlsSettings;
  readonly #log: Logger;
  readonly #listener: string;
  readonly #denials: DenialLog;
  readonly #handshakes = new Map<string, Socket>();
  #clock: Clock = systemClock;
  #loaded: LoadedTls | undefined;
  #versions = "";
  #problem: string | undefined;
  #server: TlsServer | undefined;
  #createServer: typeof import("node:https").createServer | undefined;

  private constructor(node: TlsNode, listener: string, settings: TlsSettings) {
    this.#settings = settings;
    this.#log = node.log;
    this.#listener = listener;
    this.#denials = new DenialLog(node.log, () => this.#clock);
    node.health.check("certificate", () => this.#describe());
    node.onStart(({ clock }) => {
      this.#clock = clock;
    });
    node.hooks.lifecycle.starting.tap(() => this.#load());
    node.onReload(() => this.#reload());
  }

  /** Validates the options, and registers with the node; `undefined` if TLS is off. */
  static register<P extends string, C extends string>(
    node: TlsNode,
    names: TlsNames<P, C> & { readonly listener: string },
    config: OptionValues<TlsOptions<P, C>>,
  ): TlsListener | undefined {
    const settings = readTlsSettings(names, readTlsConfig(names, config));
    return settings && new TlsListener(node, names.listener, settings);
  }

  /** Its certificate as a PEM file; `undefined` if it is in a key store. */
  get certificateFile(): string | undefined {
    return this.#settings.files.certificate;
  }

  /** Reads the files; throws if they are invalid. */
  async #load(): Promise<void> {
    this.#versions = await this.#readVersions();
    this.#loaded = await this.#read();
    const { createServer } = await import("node:https");
    this.#createServer = createServer;
  }

  /** A server with the loaded files. */
  createServer(options: ServerOptions, handler: RequestListener): Server {
    if (this.#createServer === undefined) throw new Error("the TLS files are not loaded");
    const { asksClients } = this.#settings;
    const server = this.#createServer(
      {
        ...options,
        ...this.#loaded?.context,
        requestCert: asksClients,
        // Known clients have certificates that are not signed by an authority.
        rejectUnauthorized: false,
        handshakeTimeout: HANDSHAKE_MS,
      },
      handler,
    );
    this.#server = server;
    server.on("tlsClientError", (error) => {
      this.#log.debug(`a TLS handshake failed: ${messageOf(error)}`);
    });
    server.on("connection", (socket: Socket) => {
      const key = keyOf(socket);
      this.#handshakes.set(key, socket);
      socket.once("close", () => this.#handshakes.delete(key));
    });
    server.prependListener("secureConnection", (socket) => {
      this.#handshakes.delete(keyOf(socket));
      this.#verifyClient(socket);
    });
    server.once("listening", () => this.#watch(server));
    return server;
  }

  /** Closes connections that have not completed the handshake. */
  dropHandshakes(): void {
    for (const socket of this.#handshakes.values()) socket.destroy();
  }

  #verifyClient(socket: TLSSocket): void {
    if (!this.#settings.asksClients || this.#isKnown(socket)) return;
    const { remoteAddress } = socket;
    this.#denials.write({ client: remoteAddress, listener: this.#listener, reason: "certificate" });
    socket.destroy();
  }

  #isKnown(socket: TLSSocket): boolean {
    if (this.#settings.acceptsAuthorities && socket.authorized) return true;
    const { subject, fingerprint256, valid_from, valid_to } = socket.getPeerCertificate();
    if (fingerprint256 === undefined) return false;
    const now = this.#clock.now();
    const isValid = Date.parse(valid_from) <= now && now <= Date.parse(valid_to);
    const name = String(subject?.CN ?? "");
    return isValid && this.#loaded?.knownClients?.has(name, fingerprint256) === true;
  }

  #watch(server: TlsServer): void {
    let cancel = () => {};
    const check = async () => {
      if ((await this.#readVersions()) !== this.#versions) await this.#reload();
      if (server.listening) wait();
    };
    const wait = () => {
      cancel = this.#clock.after(CHECK_MS, () => void check());
    };
    server.once("close", () => cancel());
    wait();
  }

  /** Reloads the files; if they are invalid, that is reported, and nothing changes. */
  async #reload(): Promise<void> {
    this.#versions = await this.#readVersions();
    try {
      const loaded = await this.#read();
      this.#server?.setSecureContext(loaded.context);
      this.#loaded = loaded;
      this.#problem = undefined;
      const expires = new Date(loaded.expiresAt).toISOString();
      this.#log.info(`${this.#listener}: reloaded the certificate`, { expires });
    } catch (error) {
      this.#problem = messageOf(error);
      this.#log.error(
        `${this.#listener}: cannot use the new certificate, keeping the old one: ${this.#problem}`,
      );
    }
  }

  async #read(): Promise<LoadedTls> {
    const { loadTls } = await import("./load-tls.js");
    const { files, context } = this.#settings;
    return loadTls(files, context);
  }

  /** Changes when one of the files does. */
  async #readVersions(): Promise<string> {
    const paths = Object.values(this.#settings.files).filter((path) => path !== undefined);
    const versions = paths.map(async (path) => {
      try {
        const { mtimeMs, size, ino } = await stat(path);
        return `${mtimeMs} ${size} ${ino}`;
      } catch {
        // Between the removal of the old file and the arrival of the new one.
        return "missing";
      }
    });
    return (await Promise.all(versions)).join();
  }

  #describe(): Health {
    if (this.#problem !== undefined) {
      return { status: "degraded", detail: `the new certificate is not used: ${this.#problem}` };
    }
    if (this.#loaded === undefined) return { status: "up" };
    const { subject, expiresAt } = this.#loaded;
    const days = Math.floor((expiresAt - this.#clock.now()) / DAY_MS);
    if (days >= WARNING_DAYS) return { status: "up" };
    const when = new Date(expiresAt).toISOString();
    const text = days < 0 ? `has expired on ${when}` : `expires in ${days} days, on ${when}`;
    return {
      status: "degraded",
      detail: `the certificate "${subject}" of ${this.#listener} ${text}`,
    };
  }
}

/** The common identity of a connection and the TLS socket above it. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
