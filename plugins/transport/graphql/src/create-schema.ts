import { ConfigError, messageOf } from "@plinth/core";
// By its file, here and elsewhere: mercurius gets this one, and tests would take the other copy that
// the package has for bundlers, whose types it does not recognise.
import {
  buildSchema,
  extendSchema,
  type GraphQLSchema,
  parse,
  validateSchema,
} from "graphql/index.js";
import type { GraphqlSchema } from "./api.js";
import { typeDefs } from "./type-defs.js";

/** The schema without what plugins add to it. */
export function createOwnSchema(writesIntegers: boolean): GraphQLSchema {
  return buildSchema(typeDefs(writesIntegers));
}

/** The schema with what plugins add to it; what does not fit is refused by the name of the addition. */
export function extendOwnSchema(
  own: GraphQLSchema,
  contributed: readonly GraphqlSchema[],
): GraphQLSchema {
  return contributed.reduce(extend, own);
}

function extend(schema: GraphQLSchema, { name, typeDefs }: GraphqlSchema): GraphQLSchema {
  try {
    const extended = extendSchema(schema, parse(typeDefs));
    const [problem] = validateSchema(extended);
    if (problem !== undefined) throw problem;
    return extended;
  } catch (cause) {
    throw new ConfigError("GRAPHQL_SCHEMA_INVALID", {
      message: `the GraphQL schema "${name}" cannot be added: ${messageOf(cause)}`,
      schema: name,
      cause,
    });
  }
}
