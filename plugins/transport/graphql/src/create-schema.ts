import { ConfigError, messageOf } from "@plinth/core";
// Imported by file path, as in mercurius: the package's other copy, for bundlers, has types that
// mercurius does not recognize.
import {
  buildSchema,
  extendSchema,
  type GraphQLSchema,
  parse,
  validateSchema,
} from "graphql/index.js";
import type { GraphqlSchema } from "./api.js";
import { typeDefs } from "./type-defs.js";

/** The schema without additions of plugins. */
export function createOwnSchema(writesIntegers: boolean): GraphQLSchema {
  return buildSchema(typeDefs(writesIntegers));
}

/** The schema with additions of plugins; throws with the name of an invalid addition. */
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
