/** What to do about errors of the operating system and of TLS, by their codes. */
const SYSTEM: Readonly<Record<string, string>> = {
  ECONNREFUSED: "is PostgreSQL running, and does it listen there (listen_addresses, port)?",
  ENOENT: "is PostgreSQL running, and is this the folder of its socket (unix_socket_directories)?",
  ENOTFOUND: "check the name of the host in --relay-postgres-url",
  ETIMEDOUT: "check the host in --relay-postgres-url, and the firewalls between",
  SELF_SIGNED_CERT_IN_CHAIN: "name the file with the certificate of its authority: sslrootcert",
  DEPTH_ZERO_SELF_SIGNED_CERT: "name the file with this certificate: sslrootcert",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "name the file with the certificate of its authority: sslrootcert",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "name the file with the certificate of its authority: sslrootcert",
  ERR_TLS_CERT_ALTNAME_INVALID: "use the name in the certificate, or sslmode=verify-ca",
  CERT_HAS_EXPIRED: "renew the certificate of the server",
};

/** What to do about errors of PostgreSQL, by their codes or the classes of these. */
const SERVER: Readonly<Record<string, string>> = {
  "28P01": "check --relay-postgres-password-file, or the variable PGPASSWORD",
  "28000": "allow the user and the address of this node in pg_hba.conf; sslmode may matter",
  "3D000": "create the database, or name another one in --relay-postgres-url",
  "42501": "let the user of --relay-postgres-url create the schema, or own it",
  "53100": "the disk of the server is full",
  "53300": "the server has no connection left (max_connections)",
  "57P03": "the server is starting or stopping",
  "25006": "the server is a standby, which cannot be written; name the primary",
};

const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, "turn on ssl in postgresql.conf, or use sslmode=disable"],
  [/password must be a string/, "set --relay-postgres-password-file, or the variable PGPASSWORD"],
];

/** What an operator can do about an error of a database; `undefined` if that is not known. */
export function findAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  const known = typeof code === "string" ? (SYSTEM[code] ?? SERVER[code]) : undefined;
  return known ?? MESSAGES.find(([form]) => form.test(error.message))?.[1];
}
