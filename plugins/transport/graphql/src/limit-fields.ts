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

/** Context of a request for counting its fields. */
export interface LimitedContext {
  readonly budget: Budget;
  /** Cost of every field with its subfields, by its offset in the text. */
  readonly costs: ReadonlyMap<number, number>;
}

type Resolver = GraphQLFieldResolver<unknown, LimitedContext>;

/** Approximate size of a field in a response. */
const FIELD_BYTES = 64;

/**
 * Charges every list and every error of a schema to the request, including those of plugins.
 *
 * The cost of a document does not reflect the length of its lists, and an error is much larger than a value.
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

/** Wraps a resolver so that its results and errors are charged to the request. */
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
  // The response is void: one more error would only take time.
  if (budget.end !== undefined) return null;
  throw error;
}

function charge(list: unknown, context: LimitedContext, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(list)) return list;
  const { budget, costs } = context;
  const cost = info.fieldNodes.reduce((sum, { loc }) => sum + (costs.get(loc?.start ?? 0) ?? 1), 0);
  budget.take(list.length * cost * FIELD_BYTES);
  // The response is void: there is no point in continuing.
  return budget.end === undefined ? list : [];
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}
