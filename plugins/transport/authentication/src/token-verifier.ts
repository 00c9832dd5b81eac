import type { KeyObject } from "node:crypto";
import type { Clock } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import type { Identity } from "@plinth/core/rpc";
import { type CryptoKey, errors, type JWTPayload, jwtVerify } from "jose";
import type { Algorithm } from "./options.js";

type Verified = Identity & Required<Pick<Identity, "expiresAt">>;

/** A longer token is none. */
const MAX_TOKEN = 8192;
/** Tokens that are remembered, so that a signature is verified once. */
const MAX_REMEMBERED = 1000;

/** Finds out whose a token is: its key and its algorithm are fixed, and it has to expire. */
export class TokenVerifier {
  readonly #key: KeyObject | CryptoKey;
  readonly #algorithm: Algorithm;
  readonly #clock: Clock;
  /** Valid tokens only, in the order of their arrival. */
  readonly #remembered = new LruMap<string, Verified>({ max: MAX_REMEMBERED });

  constructor(key: KeyObject | CryptoKey, algorithm: Algorithm, clock: Clock) {
    this.#key = key;
    this.#algorithm = algorithm;
    this.#clock = clock;
  }

  /** Whose a token is, at once for one that is known; `undefined` when it is not valid, or not any more. */
  identify(token: string): Identity | undefined | Promise<Identity | undefined> {
    const known = this.#remembered.peek(token);
    if (known !== undefined && this.#clock.now() < known.expiresAt) return known;
    return this.#identifyAgain(token);
  }

  async #identifyAgain(token: string): Promise<Identity | undefined> {
    this.#remembered.delete(token);
    if (token.length > MAX_TOKEN) return undefined;
    const payload = await this.#verify(token);
    if (payload?.exp === undefined) return undefined;
    const verified = { ...identityOf(payload), expiresAt: payload.exp * 1000 };
    this.#remembered.add(token, verified);
    return verified;
  }

  async #verify(token: string): Promise<JWTPayload | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [this.#algorithm],
        requiredClaims: ["exp"],
        currentDate: new Date(this.#clock.now()),
      });
      return payload;
    } catch (error) {
      // Whatever is wrong with a token, the caller learns only that it is not accepted.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }
}

function identityOf(claims: JWTPayload): Identity {
  const { permissions, username, privacyUserId, privacyPublicKey } = claims;
  const held = Array.isArray(permissions) ? permissions : [];
  const key = privacyUserId ?? privacyPublicKey;
  return {
    name: String(username ?? claims.sub ?? ""),
    permissions: held.filter((permission) => typeof permission === "string"),
    ...(typeof key === "string" && { privacyPublicKey: key }),
  };
}
