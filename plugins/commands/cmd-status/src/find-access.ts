import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

const USUAL_PORT = 8545;
/** Placeholder for the file of a certificate. */
const KEYSTORE = "keystore";

/** How a node is reached. */
export interface Access {
  readonly url: string;
  readonly token?: string | undefined;
  readonly tls?: AccessTls | undefined;
}

/** How the certificate of a node is verified; by default like that of any server. */
export type AccessTls =
  /** It is one of these, or signed by one of them; in PEM. */
  | { readonly trusted: string; readonly isOwn: boolean }
  /** It is that of this machine, in a key store. */
  | { readonly trusted: undefined };

/** The parsed flags. */
export interface AccessFlags {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly ca?: string | undefined;
}

/**
 * How to reach a node: at the given URL, otherwise on this machine, at its socket if one responds, or at its recorded
 * port.
 */
export async function findAccess(flags: AccessFlags, dataPath: string): Promise<Access> {
  const token = await findToken(flags);
  const ca = flags.ca === undefined ? undefined : await readCertificate(flags.ca);
  const given = ca === undefined ? undefined : { trusted: ca, isOwn: false };
  if (flags.url !== undefined) return { url: parseUrl(flags.url), token, tls: given };
  const socket = join(dataPath, "plinth.ipc");
  if (await isAnswered(socket)) return { url: `ipc:${socket}` };
  const { port, tls } = await findPort(dataPath);
  if (tls === undefined) return { url: `http://127.0.0.1:${port}/`, token };
  return { url: `https://127.0.0.1:${port}/`, token, tls: given ?? (await readOwn(tls)) };
}

/** The token of the flags; throws if both are given. */
async function findToken({ token, tokenFile }: AccessFlags): Promise<string | undefined> {
  if (tokenFile === undefined) return token;
  if (token !== undefined) {
    throw new ConfigError("OPTION_INVALID", {
      message: "--token and --token-file are mutually exclusive",
      option: "token-file",
    });
  }
  const read = (await readNamed("token-file", tokenFile)).trim();
  if (/^[\x21-\x7e]+$/.test(read)) return read;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--token-file': ${tokenFile} has no token; expected one line without spaces`,
    option: "token-file",
  });
}

async function readNamed(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ConfigError("OPTION_INVALID", {
      message: `Invalid value for option '--${option}': ${path} cannot be read: ${messageOf(cause)}`,
      option,
      cause,
    });
  }
}

/** Node.js would use the authorities of the system instead of a file without any. */
async function readCertificate(path: string): Promise<string> {
  const text = await readNamed("ca", path);
  if (/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(text)) return text;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--ca': ${path} has no certificate in PEM`,
    option: "ca",
  });
}

/** The certificate that a node of this machine recorded. */
async function readOwn(tls: string): Promise<AccessTls> {
  if (tls === KEYSTORE) return { trusted: undefined };
  return { trusted: await readCertificate(tls), isOwn: true };
}

function parseUrl(given: string): string {
  if (socketOf(given) !== undefined) return given;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && url.username + url.password !== "") {
    throw new ConfigError("OPTION_INVALID", {
      message:
        "Invalid value for option '--url': it has a user name or a password, which every output would show; --token-file names a token",
      option: "url",
    });
  }
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--url': "${given}" is not a URL such as http://127.0.0.1:8545 or ipc:/data/plinth.ipc`,
  });
}

/** The path of the socket in a URL; `undefined` for an HTTP URL. */
export function socketOf(url: string): string | undefined {
  return /^ipc:(?:\/\/)?(\/.+)$/.exec(url)?.[1];
}

/** Whether a node listens: a killed one leaves its socket behind. */
function isAnswered(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once("error", () => resolve(false));
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
  });
}

/** The endpoints that a running node recorded. */
async function findPort(dataPath: string) {
  const text = await readFile(join(dataPath, "plinth.ports"), "utf8").catch(noneIfMissing);
  const port = /^json-rpc=(\d+)$/m.exec(text)?.[1];
  const tls = /^json-rpc-tls=(.+)$/m.exec(text)?.[1];
  return { port: port === undefined ? USUAL_PORT : Number(port), tls };
}

function noneIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
  throw error;
}
