import { ConfigError, messageOf } from "@plinth/core";
import type { HttpServer } from "@plinth/kit-http";
import { defaultFieldResolver, isObjectType } from "graphql/index.js";
import type { GraphqlSchema } from "./api.js";
import * as resolvers from "./resolvers/index.js";
import { createScalars } from "./scalars.js";

/** The resolvers of a schema. */
export interface ResolverSettings {
  readonly writesIntegers: boolean;
  readonly contributed: readonly GraphqlSchema[];
  /** Whether a field is built in, and its property therefore safe to read. */
  isOwn(type: string, field: string): boolean;
}

/** Adds the resolvers to a schema: first the built-in ones, then those of plugins. */
export function addResolvers(
  graphql: HttpServer["graphql"],
  { writesIntegers, contributed, isOwn }: ResolverSettings,
): void {
  graphql.defineResolvers({ ...createScalars(writesIntegers), ...resolvers } as never);
  for (const addition of contributed) add(graphql, addition);
  for (const type of Object.values(graphql.schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      // Compiled code catches only errors of resolvers.
      if (!isOwn(type.name, field.name)) field.resolve ??= defaultFieldResolver;
    }
  }
}

function add(graphql: HttpServer["graphql"], { name, resolvers, loaders }: GraphqlSchema): void {
  try {
    graphql.defineResolvers((resolvers ?? {}) as never);
    graphql.defineLoaders((loaders ?? {}) as never);
  } catch (cause) {
    throw new ConfigError("GRAPHQL_SCHEMA_INVALID", {
      message: `the GraphQL schema "${name}" cannot be added: ${messageOf(cause)}`,
      schema: name,
      cause,
    });
  }
}
