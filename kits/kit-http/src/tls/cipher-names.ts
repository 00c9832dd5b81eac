import { getCiphers } from "node:tls";
import { ConfigError } from "@plinth/core";

/** Cipher suites in the format of Node.js; throws if one is unknown. */
export function readCiphers(option: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const known = new Set(getCiphers());
  const found = names.map((name) => ({ name, ours: toOpenSsl(name) }));
  const unknown = found.filter(({ ours }) => !known.has(ours.toLowerCase()));
  if (unknown.length > 0) {
    throw new ConfigError("OPTION_INVALID", {
      message: `Invalid value for option '--${option}': unknown cipher suites [${unknown.map(({ name }) => name).join(", ")}]; expected names such as TLS_AES_256_GCM_SHA384 or TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384`,
      option,
    });
  }
  return found.map(({ ours }) => ours).join(":");
}

/**
 * `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` → `ECDHE-RSA-AES128-GCM-SHA256`; other names are
 * unchanged.
 */
export function toOpenSsl(name: string): string {
  const match = /^TLS_(\w+?)_WITH_(\w+)$/i.exec(name);
  if (match === null) return name;
  const [, exchange = "", cipher = ""] = match;
  const short = cipher
    .toUpperCase()
    .replace(/^(AES|CAMELLIA|ARIA)_(\d+)/, "$1$2")
    .replace("_CBC_SHA", "_SHA")
    .replace(/^CHACHA20_POLY1305_SHA256$/, "CHACHA20_POLY1305");
  const before = exchange.toUpperCase() === "RSA" ? "" : `${exchange.toUpperCase()}_`;
  return `${before}${short}`.replaceAll("_", "-");
}
