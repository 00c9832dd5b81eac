import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql/index.js";
import type { Budget } from "./budget.js";

/** What is known of a request where its lists are counted. */
export interface ChargedContext {
  readonly budget: Budget;
  /** What every field costs with what is below it, by where it begins in the text. */
  readonly costs: ReadonlyMap<number, number>;
}

type Resolver = GraphQLFieldResolver<unknown, ChargedContext>;

/** About what a field takes in an answer. */
const FIELD_BYTES = 64;

/**
 * Lets every list of a schema count against the request, whoever added it to the schema.
 *
 * What a document costs does not say how long the lists are.
 */
export function chargeLists(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      if (isList(field.type)) field.resolve = charged(field.resolve ?? defaultFieldResolver);
    }
  }
}

function charged(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    const list = resolve(source, args, context, info);
    if (list instanceof Promise) return list.then((items) => charge(items, context, info));
    return charge(list, context, info);
  };
}

function charge(list: unknown, context: ChargedContext, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(list)) return list;
  const { budget, costs } = context;
  const cost = info.fieldNodes.reduce((sum, { loc }) => sum + (costs.get(loc?.start ?? 0) ?? 1), 0);
  budget.take(list.length * cost * FIELD_BYTES);
  // The answer is void: there is no use in going on.
  return budget.end === undefined ? list : [];
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}
