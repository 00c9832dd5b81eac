import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** Who is at the other end of a connection. */
export interface Caller {
  readonly address: string;
  /** The SHA-256 fingerprint of its certificate, which was found to be trusted. */
  readonly certificate?: string;
  /** The names that an authority has put into the certificate. */
  readonly names?: readonly string[];
}

/** How IPv6 writes an address of IPv4. */
const MAPPED = /^::ffff:(?=\d+\.)/;

/** Who is at the other end of a socket; names count only where an authority has verified them. */
export function callerOf(socket: Socket, { hasAuthority = false } = {}): Caller {
  const address = (socket.remoteAddress ?? "").replace(MAPPED, "");
  if (!(socket instanceof TLSSocket)) return { address };
  const { fingerprint256, subject, subjectaltname } = socket.getPeerCertificate();
  if (fingerprint256 === undefined) return { address };
  const names = hasAuthority ? namesOf(subject?.CN, subjectaltname) : [];
  return { address, certificate: fingerprint256, names };
}

/**
 * Whether a caller is the manager that was seen at an URL.
 *
 * With TLS it has the same certificate, or one with the name of that host. Without TLS it has the same address.
 */
export function isManagerAt(url: string, seen: Caller, caller: Caller): boolean {
  if (seen.certificate === undefined) return seen.address === caller.address;
  if (caller.certificate === undefined) return false;
  const { hostname } = new URL(url);
  return caller.certificate === seen.certificate || (caller.names ?? []).includes(hostname);
}

function namesOf(
  commonName: string | readonly string[] | undefined,
  alternatives = "",
): readonly string[] {
  const common = commonName === undefined ? [] : [commonName].flat();
  const listed = alternatives.split(", ").map((entry) => entry.replace(/^(?:DNS|IP Address):/, ""));
  return alternatives === "" ? common : listed;
}
