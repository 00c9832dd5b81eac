import type { SecureContextOptions, SecureVersion } from "node:tls";
import { ConfigError, toOptionName } from "@plinth/core";
import { readCiphers } from "./cipher-names.js";
import type { TlsConfig, TlsNames } from "./tls-options.js";

const VERSIONS: readonly SecureVersion[] = ["TLSv1.2", "TLSv1.3"];

/** The TLS files of a listener. */
export interface TlsFilePaths {
  readonly keystore: string | undefined;
  readonly password: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly knownClients: string | undefined;
  readonly truststore: string | undefined;
}

/** TLS on a listener, as the operator configured it. */
export interface TlsSettings {
  readonly files: TlsFilePaths;
  readonly context: SecureContextOptions;
  readonly asksClients: boolean;
  readonly acceptsAuthorities: boolean;
}

/** Validates the combination of options; `undefined` if TLS is off. */
export function readTlsSettings(
  { prefix, clientAuth }: TlsNames<string, string>,
  config: TlsConfig,
): TlsSettings | undefined {
  if (!config.Enabled) return undefined;
  const nameOf = (part: keyof TlsConfig) => `--${toOptionName(`${prefix}${part}`)}`;
  const has = (part: keyof TlsConfig) => config[part] !== undefined;
  const hasStore = has("KeystoreFile") || has("KeystorePasswordFile");
  const parts = hasStore
    ? (["KeystoreFile", "KeystorePasswordFile"] as const)
    : (["CertificateFile", "KeyFile"] as const);
  const missing = parts.filter((part) => !has(part));
  if (missing.length > 0) {
    const others = hasStore
      ? ""
      : `, or ${nameOf("KeystoreFile")} and ${nameOf("KeystorePasswordFile")}`;
    throw refused(`${nameOf("Enabled")} needs ${missing.map(nameOf).join(" and ")}${others}`);
  }
  if (hasStore && (has("CertificateFile") || has("KeyFile"))) {
    throw refused(
      `${nameOf("KeystoreFile")} and ${nameOf("CertificateFile")} are mutually exclusive`,
    );
  }
  const asksClients = config.ClientAuthEnabled;
  const acceptsAuthorities = config.CaClientsEnabled || has("TruststoreFile");
  if (asksClients && !acceptsAuthorities && !has("KnownClientsFile")) {
    throw refused(
      `--${toOptionName(clientAuth)} needs ${nameOf("KnownClientsFile")} or ${nameOf("CaClientsEnabled")}`,
    );
  }
  const ciphers = readCiphers(nameOf("CipherSuites").slice(2), config.CipherSuites);
  return {
    files: {
      keystore: config.KeystoreFile,
      password: config.KeystorePasswordFile,
      certificate: config.CertificateFile,
      key: config.KeyFile,
      knownClients: asksClients ? config.KnownClientsFile : undefined,
      truststore: asksClients ? config.TruststoreFile : undefined,
    },
    context: { ...versionsOf(nameOf("Protocols"), config.Protocols), ...(ciphers && { ciphers }) },
    asksClients,
    acceptsAuthorities,
  };
}

function versionsOf(option: string, protocols: readonly string[]) {
  const unknown = protocols.find((protocol) => !VERSIONS.includes(protocol as SecureVersion));
  const named = VERSIONS.filter((version) => protocols.includes(version));
  const [minVersion, maxVersion = minVersion] = named;
  if (unknown === undefined && minVersion !== undefined) return { minVersion, maxVersion };
  throw refused(
    `Invalid value for option '${option}': '${protocols.join(",")}'; expected TLSv1.2, TLSv1.3 or both`,
  );
}

function refused(message: string): ConfigError {
  return new ConfigError("OPTION_INVALID", { message });
}
