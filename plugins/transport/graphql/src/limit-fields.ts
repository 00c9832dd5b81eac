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

/** What is known of a request where its fields are counted. */
export interface LimitedContext {
  readonly budget: Budget;
  /** What every field costs with what is below it, by where it begins in the text. */
  readonly costs: ReadonlyMap<number, number>;
}

type Resolver = GraphQLFieldResolver<unknown, LimitedContext>;

/** About what a field takes in an answer. */
const FIELD_BYTES = 64;

/**
 * Lets every list and every error of a schema count against the request, also those of plugins.
 *
 * What a document costs does not say how long its lists are, and an error takes much longer than a value.
 */
export function limitFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (isList(field.type)) field.resolve = limited(resolve ?? defaultFieldResolver, charge);
      else if (resolve !== undefined) field.resolve = limited(resolve, (value) => value);
    }
  }
}

/** The same resolver, with its results and errors charged to the request. */
function limited(resolve: Resolver, look: typeof charge): Resolver {
  return (source, args, context, info) => {
    try {
      const value = resolve(source, args, context, info);
      if (!(value instanceof Promise)) return look(value, context, info);
      return value.then(
        (settled) => look(settled, context, info),
        (error: unknown) => fail(error, context),
      );
    } catch (error) {
      return fail(error, context);
    }
  };
}

function fail(error: unknown, { budget }: LimitedContext): null {
  budget.fail();
  // The answer is void: one more error would only take time.
  if (budget.end !== undefined) return null;
  throw error;
}

function charge(list: unknown, context: LimitedContext, info: GraphQLResolveInfo): unknown {
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
