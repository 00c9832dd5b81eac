import { type Option, option, optionKinds } from "@plinth/core";

/** Supported token algorithms; keys of other kinds are rejected. */
export const ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"] as const;

/** One of them. */
export type Algorithm = (typeof ALGORITHMS)[number];

function shapesOf(enabled: string, needs: string) {
  return {
    AuthenticationEnabled: option.flag({ summary: "Requires a token from callers.", needs }),
    AuthenticationCredentialsFile: option.path({
      summary: "TOML file with users, who get a token from POST /login.",
      needs: enabled,
    }),
    AuthenticationJwtPublicKeyFile: option.path({
      summary: "PEM file with the public key of the token issuer, instead of users.",
      needs: enabled,
    }),
    AuthenticationJwtAlgorithm: option.oneOf(ALGORITHMS, {
      summary: "Algorithm of the issuer's tokens.",
      default: "RS256",
      needs: enabled,
    }),
  };
}

type Shapes = ReturnType<typeof shapesOf>;

type Prefixed<P extends string> = { readonly [K in keyof Shapes as `${P}${K}`]: Shapes[K] };

function optionsOf<const P extends string>(prefix: P, needs: string): Prefixed<P> {
  const shapes = shapesOf(`${prefix}AuthenticationEnabled`, needs);
  const entries = Object.entries(shapes).map(([name, each]: [string, Option<unknown>]) => {
    const isKey = name === "AuthenticationJwtPublicKeyFile";
    const aliases = isKey ? [`${prefix}AuthenticationPublicKeyFile`] : [];
    return [`${prefix}${name}`, { ...each, aliases }];
  });
  return Object.fromEntries(entries) as Prefixed<P>;
}

function openMethods(prefix: string) {
  return option.list({
    summary: "Methods that need no token.",
    of: optionKinds.text(),
    words: true,
    aliases: [`${prefix}ApiMethodNoAuth`],
    needs: `${prefix}AuthenticationEnabled`,
  });
}

/** Authentication options of each listener. */
export const options = {
  ...optionsOf("rpcHttp", "rpcHttpEnabled"),
  rpcHttpApiMethodsNoAuth: openMethods("rpcHttp"),
  ...optionsOf("rpcWs", "rpcWsEnabled"),
  rpcWsApiMethodsNoAuth: openMethods("rpcWs"),
  ...optionsOf("graphql", "graphqlHttpEnabled"),
};
