import { readFile, stat } from "node:fs/promises";
import { ConfigError, messageOf } from "@plinth/core";
import { parse, TomlError } from "smol-toml";

/** A user who may log in. */
export interface User {
  readonly name: string;
  /** A bcrypt hash. */
  readonly password: string;
  readonly permissions: readonly string[];
  readonly privacyPublicKey: string | undefined;
}

const HASH = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/** Each step doubles the time of a login, which is about 3 s here. */
const MAX_COST = 15;
const MIN_COST = 4;
/** A larger file is not a users file. */
const MAX_BYTES = 10 * 1024 * 1024;
const LISTS = ["permissions", "groups", "roles"];
const OTHERS_MAY_READ = 0o004;

/** Reads the users of a file; throws if it is invalid, never showing a password. */
export async function readUsers(path: string): Promise<ReadonlyMap<string, User>> {
  const { Users: users } = parseFile(path, await readText(path));
  if (!isTable(users) || Object.keys(users).length === 0) {
    throw invalid(path, "it has no users; expected tables such as [Users.alice]");
  }
  return new Map(
    Object.entries(users).map(([name, entry]) => [name, readUser(path, name, entry)] as const),
  );
}

/** The highest cost of the users' hashes; `undefined` without users. */
export function findHighestCost(users: Iterable<Pick<User, "password">>): number | undefined {
  let highest: number | undefined;
  for (const { password } of users) highest = Math.max(highest ?? 0, costOf(password));
  return highest;
}

/** Whether every user of the machine can read a file. */
export async function isReadByAll(path: string): Promise<boolean> {
  return ((await stat(path)).mode & OTHERS_MAY_READ) !== 0;
}

function readUser(path: string, name: string, entry: unknown): User {
  if (!isTable(entry) || typeof entry.password !== "string" || entry.password === "") {
    throw invalid(path, `RPC user specified without password. (Users.${name})`);
  }
  verifyHash(path, name, entry.password);
  for (const list of LISTS) {
    const value = entry[list];
    if (value !== undefined && !isTexts(value)) throw invalidValue(path, name, list);
  }
  const { privacyPublicKey } = entry;
  if (privacyPublicKey !== undefined && !isText(privacyPublicKey)) {
    throw invalidValue(path, name, "privacyPublicKey");
  }
  return {
    name,
    password: entry.password,
    permissions: (entry.permissions ?? []) as readonly string[],
    privacyPublicKey,
  };
}

function verifyHash(path: string, name: string, hash: string): void {
  const cost = costOf(hash);
  if (cost >= MIN_COST && cost <= MAX_COST) return;
  const problem = Number.isNaN(cost)
    ? "is not a bcrypt hash; `plinth password hash` creates one"
    : `has the cost ${cost}; expected ${MIN_COST} to ${MAX_COST}`;
  throw invalid(path, `the password of Users.${name} ${problem}`);
}

/** NaN if it is not a hash. */
function costOf(hash: string): number {
  return Number(HASH.exec(hash)?.[1]);
}

function parseFile(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    // The rest of the message quotes the file.
    const [first = ""] = messageOf(error).split("\n");
    const place = error instanceof TomlError ? ` (line ${error.line}, column ${error.column})` : "";
    throw invalid(path, `${first}${place}`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw invalid(path, `it has ${size} bytes, more than ${MAX_BYTES}`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const isMissing = Object(error).code === "ENOENT";
    throw invalid(path, isMissing ? "the file does not exist" : messageOf(error));
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function invalidValue(path: string, name: string, key: string): ConfigError {
  const expected = key === "privacyPublicKey" ? "expected text" : "expected a list of texts";
  return invalid(
    path,
    `RPC authentication configuration file contains invalid values. (${key} of Users.${name}: ${expected})`,
  );
}

function invalid(path: string, reason: string): ConfigError {
  return new ConfigError("CREDENTIALS_INVALID", { message: `${path}: ${reason}` });
}
