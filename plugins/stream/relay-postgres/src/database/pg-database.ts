import { readFile } from "node:fs/promises";
import type { ConnectionOptions } from "node:tls";
import { type Clock, ConfigError, messageOf } from "@plinth/core";
import { within } from "@plinth/core/kernel";
import type { Client, QueryArrayConfig } from "pg";
import { CopyIn } from "./copy-in.js";
import type { Database, Row, Value } from "./database.js";
import type { ServerLocation } from "./location.js";

const CONNECT_MS = 10_000;
/** A statement that takes longer has lost its server: the largest batch takes seconds. */
const STATEMENT_MS = 10 * 60_000;
const CLOSE_MS = 1000;
const KEEP_ALIVE_MS = 10_000;

/** What a connection needs besides its location. */
export interface ServerSettings {
  /** `undefined` for the variable PGPASSWORD, or the file of libpq. */
  readonly password: string | undefined;
  readonly clock: Clock;
}

/** Connects to a server. */
export async function openServer(
  location: ServerLocation,
  { password, clock }: ServerSettings,
): Promise<Database> {
  const { host, port, user, database } = location;
  const ssl = await readTls(location);
  // Loaded when it is used: most nodes have no relay.
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    ...{ host, port, user, database, ssl },
    ...(password === undefined ? {} : { password }),
    application_name: "plinth relay-postgres",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  const opened = new ServerDatabase(client, clock);
  await opened.connect();
  return opened;
}

/** The options of TLS; `false` for none. */
async function readTls({
  sslMode,
  rootCertificate,
}: ServerLocation): Promise<ConnectionOptions | false> {
  if (sslMode === "disable") return false;
  const ca = rootCertificate === undefined ? {} : { ca: await readAuthorities(rootCertificate) };
  if (sslMode === "verify-full") return ca;
  // As in libpq, a file of authorities is used with "require" as well.
  if (sslMode === "require" && rootCertificate === undefined) return { rejectUnauthorized: false };
  return { ...ca, checkServerIdentity: () => undefined };
}

async function readAuthorities(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ConfigError("RELAY_CERTIFICATE_UNREADABLE", {
      message: `--relay-postgres-url: sslrootcert: ${messageOf(cause)}`,
      cause,
    });
  }
}

class ServerDatabase implements Database {
  readonly #client: Client;
  readonly #clock: Clock;
  #lost: Error | undefined;

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    // Without a listener an error of an idle connection would end the process.
    client.on("error", (error) => {
      this.#lost = error;
    });
  }

  async connect(): Promise<void> {
    try {
      await this.#client.connect();
    } catch (error) {
      this.#destroy();
      throw error;
    }
  }

  async query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const config: QueryArrayConfig = {
      text: sql,
      values: [...values],
      rowMode: "array",
      types: { getTypeParser: () => (text: string) => text },
    };
    const { rows } = await this.#limit(this.#client.query<Value[]>(config));
    return rows;
  }

  async execute(sql: string): Promise<void> {
    await this.#limit(this.#client.query(sql));
  }

  async copy(target: string, bytes: Buffer): Promise<void> {
    const copied = new Promise<void>((done, failed) => {
      const sql = `COPY ${target} FROM STDIN`;
      this.#client.query(new CopyIn(sql, bytes, { done, failed }));
    });
    await this.#limit(copied);
  }

  async close(): Promise<void> {
    const ended = this.#client.end().catch(() => {});
    if (!(await within(this.#clock, CLOSE_MS, ended)).done) this.#destroy();
  }

  /** Ends the connection if a statement takes too long: it may never end otherwise. */
  async #limit<T>(statement: Promise<T>): Promise<T> {
    if (this.#lost !== undefined) {
      statement.catch(() => {});
      throw this.#lost;
    }
    const cancel = this.#clock.after(STATEMENT_MS, () =>
      this.#destroy(new Error(`the server has not responded for ${STATEMENT_MS / 60_000} minutes`)),
    );
    try {
      return await statement;
    } finally {
      cancel();
    }
  }

  #destroy(error?: Error): void {
    const { connection } = this.#client as unknown as {
      readonly connection: { readonly stream: { destroy(error?: Error): void } };
    };
    connection.stream.destroy(error);
  }
}
