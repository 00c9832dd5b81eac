import { type ASTNode, type GraphQLError, Kind, print, type ValueNode } from "graphql/index.js";

/** Longer values are truncated in messages. */
const MAX_SHOWN = 512;

/** A message for callers, and its subject if that is not the node of the error. */
export interface Wording {
  readonly message: string;
  readonly at?: ASTNode | undefined;
}

type Reword = (problem: GraphQLError, ancestors: readonly ASTNode[]) => Wording;

/** Messages that match Besu's; all others are those of the library. */
const WORDINGS: Readonly<Record<string, Reword>> = {
  FieldUndefined({ message }) {
    const [, field, type] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? [];
    return { message: `Field '${field}' in type '${type}' is undefined` };
  },
  MissingFieldArgument({ message }) {
    const [, argument] = / argument "(\w+)" of type /.exec(message) ?? [];
    return { message: `Missing field argument '${argument}'` };
  },
  UnknownArgument({ message }) {
    const [, argument] = /^Unknown argument "(\w+)"/.exec(message) ?? [];
    return { message: `Unknown field argument '${argument}'` };
  },
  WrongType: rewordValue,
};

/** The message for an error of a validation rule. */
export function reword(
  rule: string,
  problem: GraphQLError,
  ancestors: readonly ASTNode[],
): Wording {
  return WORDINGS[rule]?.(problem, ancestors) ?? { message: shorten(problem.message) };
}

function rewordValue(problem: GraphQLError, ancestors: readonly ASTNode[]): Wording {
  const at = ancestors.find(({ kind }) => kind === Kind.ARGUMENT);
  const value = ancestors.at(-1);
  const [, type] = /^Expected value of type "(\w+)/.exec(problem.message) ?? [];
  const reason = problem.originalError?.message;
  if (at === undefined || value === undefined || reason === undefined) {
    return { message: shorten(problem.message), at };
  }
  const shown = shorten(describeValue(value as ValueNode));
  return {
    message: `argument '${argumentIn(ancestors)}' with value '${shown}' is not a valid '${type}' - ${reason}`,
    at,
  };
}

/** `filter.topics` for a value inside of an argument. */
function argumentIn(ancestors: readonly ASTNode[]): string {
  return ancestors
    .flatMap((node) =>
      node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD ? [node.name.value] : [],
    )
    .join(".");
}

function describeValue(value: ValueNode): string {
  switch (value.kind) {
    case Kind.STRING:
      return `StringValue{value='${value.value}'}`;
    case Kind.INT:
    case Kind.FLOAT:
    case Kind.BOOLEAN:
      return `${value.kind}{value=${value.value}}`;
    case Kind.ENUM:
      return `EnumValue{name='${value.value}'}`;
    default:
      return print(value);
  }
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
