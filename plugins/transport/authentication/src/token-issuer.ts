import type { Clock } from "@plinth/core";
import { type CryptoKey, generateKeyPair, SignJWT } from "jose";
import { TokenVerifier } from "./token-verifier.js";
import type { User } from "./users-file.js";

const ALGORITHM = "RS256";
const KEY_BITS = 2048;
const LIFE_SECONDS = 300;

interface Keys {
  readonly privateKey: CryptoKey;
  readonly verifier: TokenVerifier;
}

/**
 * Issues tokens with an ephemeral key; all tokens expire with the process.
 *
 * The key is generated for the first login: it takes longer than the rest of a start.
 */
export class TokenIssuer {
  readonly #clock: Clock;
  #making: Promise<Keys> | undefined;
  #keys: Keys | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The owner of a token; before the first was issued none is valid. */
  identify(token: string): ReturnType<TokenVerifier["identify"]> {
    return this.#keys?.verifier.identify(token);
  }

  /** Issues a token for a user, valid for five minutes. */
  async issue({ name, permissions, privacyPublicKey }: User): Promise<string> {
    this.#making ??= this.#makeKeys();
    const { privateKey } = await this.#making;
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
      .sign(privateKey);
  }

  async #makeKeys(): Promise<Keys> {
    const keys = await generateKeyPair(ALGORITHM, { modulusLength: KEY_BITS });
    const verifier = new TokenVerifier(keys.publicKey, ALGORITHM, this.#clock);
    this.#keys = { privateKey: keys.privateKey, verifier };
    return this.#keys;
  }
}
