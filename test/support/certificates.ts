import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Whether certificates can be created; reports it if they cannot. */
export const isOpensslMissing = spawnSync("openssl", ["version"]).status !== 0;
if (isOpensslMissing) process.stderr.write("openssl is not installed: tests of TLS are skipped\n");

/** A certificate and its key. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
  /** SHA-256, in hex with colons. */
  readonly fingerprint: string;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const NAMES = "subjectAltName=IP:127.0.0.1,DNS:localhost";

/** Creates certificates in a folder. */
export class CertificateMaker {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A self-signed one, for 127.0.0.1. */
  create(name: string, days = 365): Certificate {
    const [keyFile, certFile] = [this.#path(`${name}.key`), this.#path(`${name}.crt`)];
    const subject = ["-subj", `/CN=${name}`, "-days", String(days), "-addext", NAMES];
    run("req", "-x509", ...KEY, "-keyout", keyFile, "-out", certFile, ...subject);
    return read(certFile, keyFile);
  }

  /** One signed by another, also for 127.0.0.1; it has expired if its days are negative. */
  sign(name: string, authority: Certificate, days = 365): Certificate {
    const [keyFile, certFile] = [this.#path(`${name}.key`), this.#path(`${name}.crt`)];
    const request = this.#path(`${name}.csr`);
    const subject = ["-subj", `/CN=${name}`, "-addext", NAMES];
    run("req", "-new", ...KEY, "-keyout", keyFile, "-out", request, ...subject);
    const by = ["-CA", authority.certFile, "-CAkey", authority.keyFile, "-CAcreateserial"];
    const copied = ["-copy_extensions", "copy"];
    run("x509", "-req", "-in", request, ...by, ...copied, "-days", String(days), "-out", certFile);
    return read(certFile, keyFile);
  }

  /** The same in a key store, with its password file. */
  store({ certFile, keyFile }: Certificate, path: string, password: string): void {
    const files = ["-in", certFile, "-inkey", keyFile, "-out", path];
    run("pkcs12", "-export", ...files, "-passout", `pass:${password}`);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

function read(certFile: string, keyFile: string): Certificate {
  const cert = readFileSync(certFile, "utf8");
  const { fingerprint256: fingerprint } = new X509Certificate(cert);
  return { certFile, keyFile, cert, key: readFileSync(keyFile, "utf8"), fingerprint };
}

function run(...words: readonly string[]): void {
  execFileSync("openssl", words, { stdio: "pipe" });
}
