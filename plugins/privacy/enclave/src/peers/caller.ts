import type { Socket } from "node:net";
import { checkServerIdentity, TLSSocket } from "node:tls";

/** The remote end of a connection. */
export interface Caller {
  readonly address: string;
  /** SHA-256 fingerprint of its trusted certificate. */
  readonly certificate?: string;
  /** Whether an authority has signed the certificate for a host. */
  readonly isFor?: (host: string) => boolean;
}

/** Prefix of IPv4-mapped IPv6 addresses. */
const MAPPED = /^::ffff:(?=\d+\.)/;

/** The remote end of a socket; names count only if an authority has verified them. */
export function callerOf(socket: Socket, { hasAuthority = false } = {}): Caller {
  const address = (socket.remoteAddress ?? "").replace(MAPPED, "");
  if (!(socket instanceof TLSSocket)) return { address };
  const certificate = socket.getPeerCertificate();
  if (certificate.fingerprint256 === undefined) return { address };
  const isFor = (host: string) =>
    hasAuthority && checkServerIdentity(host, certificate) === undefined;
  return { address, certificate: certificate.fingerprint256, isFor };
}

/**
 * Whether a caller is the manager seen at a URL.
 *
 * With TLS it has the same certificate, or one with the name of that host. Without TLS it has the same address.
 */
export function isManagerAt(url: string, seen: Caller, caller: Caller): boolean {
  if (seen.certificate === undefined) return seen.address === caller.address;
  if (caller.certificate === undefined) return false;
  const { hostname } = new URL(url);
  return caller.certificate === seen.certificate || caller.isFor?.(hostname) === true;
}
