import { ConfigError, type OptionValues, toOptionName } from "@plinth/core";
import type { Algorithm, options } from "./options.js";

/** Source of the tokens of a listener. */
export type TokenSource =
  | { readonly kind: "users"; readonly file: string }
  | { readonly kind: "issuer"; readonly keyFile: string; readonly algorithm: Algorithm };

/** A listener whose callers need a token. */
export interface GuardedListener {
  /** The name of its endpoint. */
  readonly endpoint: string;
  readonly source: TokenSource;
  /** Methods that need no token. */
  readonly openMethods: readonly string[];
  /** The option that names them. */
  readonly openMethodsOption: string;
}

type Config = OptionValues<typeof options>;

const LISTENERS = [
  { prefix: "rpcHttp", endpoint: "json-rpc", title: "JSON-RPC HTTP" },
  { prefix: "rpcWs", endpoint: "ws-rpc", title: "JSON-RPC WebSocket" },
  { prefix: "graphql", endpoint: "graphql-http", title: "GraphQL HTTP" },
] as const;

/** The endpoints that can be guarded. */
export const ENDPOINTS: readonly string[] = LISTENERS.map(({ endpoint }) => endpoint);

/** The listeners with authentication enabled; throws if one has no source of tokens, or two. */
export function readListeners(config: Config): readonly GuardedListener[] {
  return LISTENERS.filter(({ prefix }) => config[`${prefix}AuthenticationEnabled`]).map(
    ({ prefix, endpoint, title }) => ({
      endpoint,
      source: readSource(prefix, title, config),
      openMethods: prefix === "graphql" ? [] : config[`${prefix}ApiMethodsNoAuth`],
      openMethodsOption: toOptionName(`${prefix}ApiMethodsNoAuth`),
    }),
  );
}

/** Throws if a method that needs no token is not loaded. */
export function verifyOpenMethods(
  { openMethods, openMethodsOption: option }: GuardedListener,
  loaded: readonly string[],
): void {
  const unknown = openMethods.filter((method) => !loaded.includes(method));
  if (unknown.length === 0) return;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--${option}': options must be valid RPC methods, and [${unknown.join(", ")}] are not`,
    option,
  });
}

/** Throws if the HTTP port needs tokens, but WebSockets served there do not. */
export function verifySharedPort(
  listeners: readonly Pick<GuardedListener, "endpoint">[],
  { hasWebSockets }: { readonly hasWebSockets: boolean },
): void {
  const isGuarded = (name: string) => listeners.some(({ endpoint }) => endpoint === name);
  if (!hasWebSockets || !isGuarded("json-rpc") || isGuarded("ws-rpc")) return;
  throw refused(
    "--rpc-ws-on-http-port serves WebSockets without tokens on a port that --rpc-http-authentication-enabled protects; add --rpc-ws-authentication-enabled, or remove --rpc-ws-on-http-port",
  );
}

function readSource(
  prefix: (typeof LISTENERS)[number]["prefix"],
  title: string,
  config: Config,
): TokenSource {
  const file = config[`${prefix}AuthenticationCredentialsFile`];
  const keyFile = config[`${prefix}AuthenticationJwtPublicKeyFile`];
  const nameOf = (part: string) => `--${toOptionName(`${prefix}Authentication${part}`)}`;
  const names = [nameOf("CredentialsFile"), nameOf("JwtPublicKeyFile")];
  if (file !== undefined && keyFile !== undefined) {
    throw refused(`${names.join(" and ")} are mutually exclusive; keep one of them`);
  }
  if (file !== undefined) return { kind: "users", file };
  if (keyFile !== undefined) {
    return { kind: "issuer", keyFile, algorithm: config[`${prefix}AuthenticationJwtAlgorithm`] };
  }
  throw refused(
    `Unable to authenticate ${title} endpoint without a supplied credentials file or authentication public key file (${names.join(", ")})`,
  );
}

function refused(message: string): ConfigError {
  return new ConfigError("OPTION_INVALID", { message });
}
