import { type Option, type OptionValues, option, optionKinds } from "@plinth/core";

function shapesOf(needs: string, needsClients: string) {
  const path = (summary: string) => option.path({ summary, needs });
  return {
    KeystoreFile: path("PKCS#12 file with key and certificate."),
    KeystorePasswordFile: path("File whose first line is the password of the key store."),
    CertificateFile: path("PEM file with the certificate and its chain, instead of a key store."),
    KeyFile: path("PEM file with the private key of the certificate."),
    KnownClientsFile: option.path({
      summary: "File with a line for each client: its common name and SHA-256 fingerprint.",
      needs: needsClients,
    }),
    CaClientsEnabled: option.flag({
      summary: "Accepts clients whose certificate is signed by a trusted authority.",
      needs: needsClients,
    }),
    TruststoreFile: option.path({
      summary: "PEM file with the authorities that sign client certificates.",
      needs: needsClients,
    }),
    Protocols: option.list({
      summary: "Supported TLS versions: TLSv1.2, TLSv1.3 or both.",
      of: optionKinds.text(),
      words: true,
      default: ["TLSv1.3", "TLSv1.2"],
      needs,
    }),
    CipherSuites: option.list({
      summary:
        "Supported cipher suites, by the names of IANA or OpenSSL; those of Node.js by default.",
      of: optionKinds.text(),
      words: true,
      needs,
    }),
  };
}

type Shapes = ReturnType<typeof shapesOf>;

/** The operator's TLS settings of one listener. */
export type TlsConfig = OptionValues<Shapes> & {
  readonly Enabled: boolean;
  readonly ClientAuthEnabled: boolean;
};

/**
 * The same as options of a listener: `P` is the prefix of their names, `C` the option that requires
 * certificates.
 */
export type TlsOptions<P extends string, C extends string> = {
  readonly [K in keyof Shapes as `${P}${K}`]: Shapes[K];
} & { readonly [K in C | `${P}Enabled`]: Option<boolean> };

/** The prefix of a listener's TLS options, and the option that requires client certificates. */
export interface TlsNames<P extends string, C extends string> {
  readonly prefix: P;
  readonly clientAuth: C;
}

/** Declares the TLS options of a listener. */
export function tlsOptions<const P extends string, const C extends string>(
  { prefix, clientAuth }: TlsNames<P, C>,
  settings: { readonly needs: string; readonly aliases?: Partial<Record<keyof Shapes, string[]>> },
): TlsOptions<P, C> {
  const enabled = `${prefix}Enabled`;
  const shapes = Object.entries(shapesOf(enabled, clientAuth)).map(([name, each]) => {
    const aliases = settings.aliases?.[name as keyof Shapes] ?? [];
    return [`${prefix}${name}`, { ...each, aliases }];
  });
  return {
    [enabled]: option.flag({ summary: "Serves over TLS only.", needs: settings.needs }),
    [clientAuth]: option.flag({ summary: "Requires client certificates.", needs: enabled }),
    ...Object.fromEntries(shapes),
  } as TlsOptions<P, C>;
}

/** The values of a listener's options, without the prefix of their names. */
export function readTlsConfig<P extends string, C extends string>(
  { prefix, clientAuth }: TlsNames<P, C>,
  config: OptionValues<TlsOptions<P, C>>,
): TlsConfig {
  const values = config as Readonly<Record<string, unknown>>;
  const own = Object.entries(values)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value]);
  return { ...Object.fromEntries(own), ClientAuthEnabled: values[clientAuth] } as TlsConfig;
}
