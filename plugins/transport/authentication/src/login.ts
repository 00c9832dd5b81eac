import { type Clock, type Logger, messageOf, parseJson } from "@plinth/core";
import type { PasswordChecker } from "@plinth/core/primitives";
import {
  clientKey,
  type DenialLog,
  type Login,
  type LoginReply,
  type LoginRequest,
  TokenBuckets,
} from "@plinth/kit-http";

import type { TokenIssuer } from "./token-issuer.js";
import { findHighestCost, readUsers, type User } from "./users-file.js";

/** Settings of the login of a listener. */
export interface LoginSettings {
  /** The name of the endpoint. */
  readonly endpoint: string;
  readonly file: string;
  readonly issuer: TokenIssuer;
  readonly checker: PasswordChecker;
  readonly clock: Clock;
  readonly log: Logger;
  readonly denials: DenialLog;
}

/** Rate limit for failed attempts of one address: a burst, and then one every six seconds. */
const ATTEMPTS = { perSecond: 1 / 6, burst: 10 };
const BUSY_SECONDS = 5;
/** bcrypt ignores further bytes. */
const MAX_PASSWORD_BYTES = 72;
const NO_PASSWORD = "-";
/** The cost of a hash while no user can be read. */
const USUAL_COST = 10;
/** Salt and digest of a dummy hash. */
const DECOY = "l3GA7K8g6rJ/Yv.YFSygCuI9byngpEzxgWS9qEg5emYDZomQW7fGC";

/** Issues tokens to users with the right password. */
export class UserLogin implements Login {
  readonly endpoint: string;
  readonly #settings: LoginSettings;
  readonly #attempts = new TokenBuckets(ATTEMPTS);

  constructor(settings: LoginSettings) {
    this.endpoint = settings.endpoint;
    this.#settings = settings;
  }

  async answer({ body, client }: LoginRequest): Promise<LoginReply> {
    const given = readCredentials(body);
    if (given === undefined) {
      return refuse(400, "Authentication failed: username and password are required.");
    }
    const { checker, clock } = this.#settings;
    // Before anything is awaited, and before it counts as an attempt.
    using place = checker.reserve();
    if (place === undefined) return later(BUSY_SECONDS, "too many attempts are in progress");
    const key = clientKey(client);
    const waitMs = this.#attempts.take(key, 1, clock.now());
    if (waitMs > 0) return later(waitMs / 1000, "too many failed attempts");
    const user = await this.#find(given, client);
    if (user === undefined) {
      return refuse(401, "Authentication failed: the username or password is incorrect.");
    }
    this.#attempts.giveBack(key, 1);
    this.#settings.log.debug(`${JSON.stringify(given.username)} logged in at ${this.endpoint}`);
    const token = await this.#settings.issuer.issue(user);
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, body: JSON.stringify({ token }) };
  }

  async #find(
    { username, password }: Credentials,
    client: string | undefined,
  ): Promise<User | undefined> {
    const { endpoint: listener, checker, denials } = this.#settings;
    const users = await this.#readUsers();
    const user = users.get(username);
    const bytes = Buffer.byteLength(password);
    const isPossible = bytes > 0 && bytes <= MAX_PASSWORD_BYTES;
    // Any failure takes the same time if all hashes have the same cost.
    const given = isPossible ? password : NO_PASSWORD;
    const isRight = await checker.check(given, user?.password ?? decoyFor(users));
    if (user !== undefined && isPossible && isRight) return user;
    denials.write({ client, listener, reason: "login", user: username });
    return undefined;
  }

  /**
   * The current users of the file; none while it cannot be read, so that a damaged file lets no one
   * in.
   */
  async #readUsers(): Promise<ReadonlyMap<string, User>> {
    try {
      return await readUsers(this.#settings.file);
    } catch (error) {
      this.#settings.log.error(`users cannot log in: ${messageOf(error)}`);
      return new Map();
    }
  }
}

/**
 * The hash to which the password of an unknown user is compared: it takes as long as for the
 * slowest user.
 */
function decoyFor(users: ReadonlyMap<string, User>): string {
  const cost = findHighestCost(users.values()) ?? USUAL_COST;
  return `$2a$${String(cost).padStart(2, "0")}$${DECOY}`;
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

function readCredentials(body: string): Credentials | undefined {
  let json: unknown;
  try {
    json = parseJson(body);
  } catch {
    return undefined;
  }
  const { username, password } = Object(json);
  if (typeof username !== "string" || typeof password !== "string") return undefined;
  return { username, password };
}

function refuse(status: number, text: string): LoginReply {
  return { status, headers: { "content-type": "text/plain" }, body: text };
}

function later(seconds: number, reason: string): LoginReply {
  const wait = String(Math.ceil(seconds));
  return {
    status: 429,
    headers: { "content-type": "text/plain", "retry-after": wait },
    body: `Authentication failed: ${reason}; try again in ${wait} s.`,
  };
}
