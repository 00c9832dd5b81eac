import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { Certificate } from "./certificates.js";
import { freePort } from "./free-port.js";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.js";

const PROGRAMS = findPrograms();
/** `npm run long -- relay` sets it: the tests take a minute. */
const IS_WANTED = process.env.PLINTH_POSTGRES === "1";
/** Whether there is no PostgreSQL to test with, or it is not wanted; reports it. */
export const isPostgresMissing = PROGRAMS === undefined || !IS_WANTED;
if (isPostgresMissing) {
  const reason = IS_WANTED ? "it is not installed" : "`npm run long -- relay` has them";
  process.stderr.write(`tests with PostgreSQL are skipped: ${reason}\n`);
}

/** The user of the servers that tests start. */
export const POSTGRES_USER = "relay";
const START_MS = 30_000;

/** Rows of text values. */
export type Rows = readonly (readonly (string | null)[])[];

/** A PostgreSQL server in a temporary folder, with passwords, on 127.0.0.1 and a Unix socket. */
export class PostgresServer implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: TemporaryFolder, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** Creates a server whose user has a password, and starts it; with a certificate, it requires TLS. */
  static async start(
    password: string,
    { certificate }: { readonly certificate?: Certificate } = {},
  ): Promise<PostgresServer> {
    const folder = temporaryFolder();
    const server = new PostgresServer(folder, await freePort());
    try {
      server.#create(password);
      if (certificate !== undefined) server.#requireTls(certificate);
      await server.restart();
      return server;
    } catch (error) {
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /** The URL of a database, without a password. */
  url(parameters = ""): string {
    return `postgres://${POSTGRES_USER}@127.0.0.1:${this.#port}/postgres${parameters}`;
  }

  /** The same by the Unix socket, which needs no password. */
  socketUrl(): string {
    return this.url(`?host=${this.#folder.path}`);
  }

  /** Runs a statement by the Unix socket. */
  async query(sql: string): Promise<Rows> {
    const client = await this.#connect(this.#folder.path, "not asked for");
    try {
      return await readRows(client, sql);
    } finally {
      await client.end();
    }
  }

  /** Runs statements on one connection by TCP. */
  async queryByTcp<T>(
    password: string,
    work: (run: (sql: string) => Promise<Rows>) => Promise<T>,
  ): Promise<T> {
    const client = await this.#connect("127.0.0.1", password);
    try {
      return await work((sql) => readRows(client, sql));
    } finally {
      await client.end();
    }
  }

  /** Runs a statement in a transaction, which ends when the returned function is called. */
  async hold(sql: string): Promise<() => Promise<void>> {
    const client = await this.#connect(this.#folder.path, "not asked for");
    await client.query("BEGIN");
    await client.query(sql);
    return () => client.end();
  }

  async #connect(host: string, password: string): Promise<pg.Client> {
    const client = new pg.Client({
      ...{ host, port: this.#port, user: POSTGRES_USER, database: "postgres", password },
    });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  /** Starts it again after it was stopped. */
  async restart(): Promise<void> {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: this.#port,
      unix_socket_directories: this.#folder.path,
    };
    const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(programPath("postgres"), ["-D", this.#folder.file("database"), ...words], {
      ...identity(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process = child;
    let log = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    const deadline = Date.now() + START_MS;
    for (;;) {
      const failure = await this.query("SELECT 1").then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return;
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`PostgreSQL does not start: ${log}`, { cause: failure });
      }
      await setTimeout(20);
    }
  }

  /** Ends it at once, as in a crash: the next start recovers from the log. */
  async crash(): Promise<void> {
    await this.#end("SIGQUIT");
  }

  /** Kills it and all of its processes. */
  async kill(): Promise<void> {
    const pids = this.#pidsOfChildren();
    await this.#end("SIGKILL");
    for (const pid of pids) killIfRunning(pid);
    // They have the shared memory of the server until they are gone.
    while (pids.some(isRunning)) await setTimeout(1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end("SIGQUIT");
    this.#folder[Symbol.dispose]();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  #pidsOfChildren(): readonly number[] {
    const pid = this.#process?.pid;
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.trim().split(" ").map(Number);
  }

  #create(password: string): void {
    const { path } = this.#folder;
    const { uid, gid } = identity();
    const passwordFile = this.#folder.file("password");
    writeFileSync(passwordFile, password);
    if (uid !== undefined && gid !== undefined) {
      for (const each of [path, passwordFile]) chownSync(each, uid, gid);
    }
    execFileSync(
      programPath("initdb"),
      [
        ...["-D", this.#folder.file("database"), "-U", POSTGRES_USER, "--no-sync"],
        ...["--auth-local=trust", "--auth-host=scram-sha-256", `--pwfile=${passwordFile}`],
        ...["--encoding=UTF8", "--locale=C"],
      ],
      { ...identity(), cwd: path, stdio: "ignore" },
    );
  }

  #requireTls({ cert, key }: Certificate): void {
    const { uid, gid } = identity();
    const database = this.#folder.file("database");
    for (const [name, text] of [
      ["server.crt", cert],
      ["server.key", key],
      ["pg_hba.conf", "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"],
      ["postgresql.auto.conf", "ssl = on\n"],
    ] as const) {
      const path = join(database, name);
      writeFileSync(path, text);
      chmodSync(path, 0o600);
      if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
    }
  }
}

/** The newest installed version. */
function findPrograms(): string | undefined {
  const folder = "/usr/lib/postgresql";
  if (!existsSync(folder)) return undefined;
  const versions = readdirSync(folder).filter((name) =>
    existsSync(join(folder, name, "bin/initdb")),
  );
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  // PostgreSQL refuses to run as root; Debian's package creates a user.
  if (newest === undefined || (process.getuid?.() === 0 && findUser() === undefined)) {
    return undefined;
  }
  return join(folder, newest, "bin");
}

function programPath(name: string): string {
  return join(PROGRAMS ?? "", name);
}

/** The user that runs the server, if this one must not. */
function identity(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? (findUser() ?? {}) : {};
}

function findUser(): { readonly uid: number; readonly gid: number } | undefined {
  try {
    const read = (flag: string) =>
      Number(
        execFileSync("id", [flag, "postgres"], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"],
        }),
      );
    return { uid: read("-u"), gid: read("-g") };
  } catch {
    return undefined;
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether a process has not ended yet. */
function isRunning(pid: number): boolean {
  try {
    // The state is after the name, which is in parentheses.
    const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.[0];
    return state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}

async function readRows(client: pg.Client, sql: string): Promise<Rows> {
  const types = { getTypeParser: () => (text: string) => text };
  const { rows } = await client.query({ text: sql, rowMode: "array", types });
  return Array.isArray(rows) ? rows : [];
}
