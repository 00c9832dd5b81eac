import type { Clock } from "@plinth/core";
import { type CryptoKey, generateKeyPair, SignJWT } from "jose";
import { TokenVerifier } from "./token-verifier.js";
import type { User } from "./users-file.js";

const ALGORITHM = "RS256";
const KEY_BITS = 2048;
const LIFE_SECONDS = 300;

/** Makes tokens with a key of its own, which ends with the process and with it every token. */
export class TokenIssuer {
  readonly verifier: TokenVerifier;
  readonly #key: CryptoKey;
  readonly #clock: Clock;

  private constructor(keys: { publicKey: CryptoKey; privateKey: CryptoKey }, clock: Clock) {
    this.verifier = new TokenVerifier(keys.publicKey, ALGORITHM, clock);
    this.#key = keys.privateKey;
    this.#clock = clock;
  }

  static async create(clock: Clock): Promise<TokenIssuer> {
    return new TokenIssuer(await generateKeyPair(ALGORITHM, { modulusLength: KEY_BITS }), clock);
  }

  /** A token of a user, for five minutes. */
  issue({ name, permissions, privacyPublicKey }: User): Promise<string> {
    const now = Math.floor(this.#clock.now() / 1000);
    const claims = {
      permissions: [...permissions],
      username: name,
      ...(privacyPublicKey !== undefined && { privacyPublicKey }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
      .setIssuedAt(now)
      .setExpirationTime(now + LIFE_SECONDS)
      .sign(this.#key);
  }
}
