import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** The inputs of a token. */
export interface TokenParts {
  readonly alg: string;
  readonly key?: KeyObject | string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** A token as its issuer, or an impostor, would create it. */
export function createToken({ alg, key, claims, header = {} }: TokenParts): string {
  const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
  const signed = `${encode({ alg, typ: "JWT", ...header })}.${encode(claims)}`;
  return `${signed}.${signatureOf(alg, signed, key).toString("base64url")}`;
}

function signatureOf(alg: string, signed: string, key: TokenParts["key"]): Buffer {
  const hash = `sha${alg.slice(2)}`;
  if (key === undefined || alg === "none") return Buffer.alloc(0);
  if (alg.startsWith("HS")) return createHmac(hash, key).update(signed).digest();
  return sign(hash, Buffer.from(signed), { key: key as KeyObject, dsaEncoding: "ieee-p1363" });
}

/** Keys of an issuer. */
export interface IssuerKeys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The public key in PEM. */
  readonly pem: string;
}

/** Keys for an algorithm. */
export function createKeys(alg: string): IssuerKeys {
  const curves: Readonly<Record<string, string>> = {
    ES256: "P-256",
    ES384: "P-384",
    ES512: "P-521",
  };
  const namedCurve = curves[alg];
  const { publicKey, privateKey } =
    namedCurve === undefined
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve });
  return { publicKey, privateKey, pem: String(publicKey.export({ type: "spki", format: "pem" })) };
}
