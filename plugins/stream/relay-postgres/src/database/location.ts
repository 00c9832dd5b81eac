import { resolve } from "node:path";
import { ConfigError } from "@plinth/core";

/** Where the rows go. */
export type Location = ServerLocation | FolderLocation;

/** A PostgreSQL server. */
export interface ServerLocation {
  readonly kind: "server";
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly sslMode: SslMode;
  /** A file with the certificates of authorities; those of the system by default. */
  readonly rootCertificate: string | undefined;
}

/** A folder with an embedded database. */
export interface FolderLocation {
  readonly kind: "folder";
  readonly folder: string;
}

const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"] as const;

/** How a connection is protected, with libpq's names. */
export type SslMode = (typeof SSL_MODES)[number];

const EMBEDDED = "pglite:";
const PARAMETERS = ["host", "sslmode", "sslrootcert"];
const USUAL_PORT = 5432;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const EXPECTED =
  "expected postgres://USER@HOST:PORT/DATABASE, or pglite:FOLDER for an embedded database";

/** Reads `--relay-postgres-url`; the error does not contain the URL, which may have a password. */
export function parseLocation(text: string): Location {
  if (text.startsWith(EMBEDDED)) return parseFolder(text.slice(EMBEDDED.length));
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) throw invalid(EXPECTED);
  const url = new URL(text);
  if (url.password !== "") {
    throw invalid(
      "the URL has a password, which other users of this machine can read; use --relay-postgres-password-file or the variable PGPASSWORD",
    );
  }
  const parameters = readParameters(url.searchParams);
  const host = parameters.get("host") ?? url.hostname;
  const user = decode(url.username);
  const database = decode(url.pathname.slice(1));
  if (host === "" || user === "" || database === "") throw invalid(EXPECTED);
  return {
    kind: "server",
    host: host.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? USUAL_PORT : Number(url.port),
    ...{ user, database },
    sslMode: readMode(parameters.get("sslmode"), host),
    rootCertificate: parameters.get("sslrootcert"),
  };
}

/** The location for people: without a user and parameters. */
export function formatLocation(location: Location): string {
  if (location.kind === "folder") return `${EMBEDDED}${location.folder}`;
  const { host, port, database } = location;
  return `${host}:${port}/${database}`;
}

function parseFolder(folder: string): FolderLocation {
  if (folder === "") throw invalid(EXPECTED);
  return { kind: "folder", folder: resolve(folder) };
}

function readParameters(found: URLSearchParams): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of found) {
    if (!PARAMETERS.includes(name) || parameters.has(name)) {
      throw invalid(
        `the parameter ${name}: expected each of ${PARAMETERS.join(", ")} at most once`,
      );
    }
    parameters.set(name, value);
  }
  return parameters;
}

/** Verified by default, except on this machine. */
function readMode(text: string | undefined, host: string): SslMode {
  if (text === undefined) {
    return host.startsWith("/") || LOOPBACK.test(host) ? "disable" : "verify-full";
  }
  const mode = SSL_MODES.find((each) => each === text);
  if (mode === undefined) throw invalid(`sslmode: expected one of ${SSL_MODES.join(", ")}`);
  return mode;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw invalid("a % is not followed by two hex digits", cause);
  }
}

function invalid(problem: string, cause?: unknown): ConfigError {
  return new ConfigError("RELAY_URL_INVALID", {
    message: `Invalid value for option '--relay-postgres-url': ${problem}`,
    cause,
  });
}
