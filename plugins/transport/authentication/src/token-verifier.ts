import type { KeyObject } from "node:crypto";
import type { Clock } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import type { Identity } from "@plinth/core/rpc";
import { type CryptoKey, errors, type JWTPayload, jwtVerify } from "jose";
import type { Algorithm } from "./options.js";

type Verified = Identity & Required<Pick<Identity, "expiresAt">>;

/** Maximum length of a token. */
const MAX_TOKEN = 8192;
/** Number of cached tokens, so that each signature is verified once. */
const MAX_REMEMBERED = 1000;

/** Verifies tokens: key and algorithm are fixed, and an expiry is required. */
export class TokenVerifier {
  readonly #key: KeyObject | CryptoKey;
  readonly #algorithm: Algorithm;
  readonly #clock: Clock;
  /** Valid tokens only, in order of arrival. */
  readonly #remembered = new LruMap<string, Verified>({ max: MAX_REMEMBERED });

  constructor(key: KeyObject | CryptoKey, algorithm: Algorithm, clock: Clock) {
    this.#key = key;
    this.#algorithm = algorithm;
    this.#clock = clock;
  }

  /**
   * The owner of a token, synchronously for a cached one; `undefined` if it is invalid or expired.
   */
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
      // The caller learns only that the token is not accepted, not why.
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
