import { option, optionKinds } from "@plinth/core";
import { clientOptions, hostAllowlist, responseOptions, tlsOptions } from "@plinth/kit-http";

const needs = "graphqlHttpEnabled";

/** Prefix of the TLS options. */
export const TLS = { prefix: "graphqlTls", clientAuth: "graphqlMtlsEnabled" } as const;

/** Options of the GraphQL listener. */
export const options = {
  graphqlHttpEnabled: option.flag({ summary: "Serves GraphQL over HTTP." }),
  graphqlHttpHost: option.host({ summary: "Address to listen on.", default: "127.0.0.1", needs }),
  graphqlHttpPort: option.port({
    summary: "Port to listen on; 0 picks a free one.",
    default: 8547,
    needs,
  }),
  graphqlHttpCorsOrigins: option.list({
    summary:
      "Origins whose pages may send queries, as regular expressions; * or all for any, none for none.",
    of: optionKinds.text(),
    needs,
  }),
  graphqlUiEnabled: option.flag({
    summary: "Serves a query editor under /graphql/ui.",
    needs,
  }),
  graphqlMaxComplexity: option.integer({
    summary: "Maximum total cost of the fields of one query; most fields cost 1.",
    default: 200,
    min: 1,
    max: 10_000,
    needs,
  }),
  graphqlMaxDepth: option.integer({
    summary: "Maximum nesting depth of the fields of one query.",
    default: 20,
    min: 1,
    max: 100,
    needs,
  }),
  ...tlsOptions(TLS, { needs }),
  hostAllowlist,
  ...clientOptions,
  ...responseOptions,
};
