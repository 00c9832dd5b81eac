import { type ASTNode, type DocumentNode, type GraphQLError, Kind, visit } from "graphql/index.js";
import type { AnsweredError } from "./refusal.js";
import { reword } from "./wording.js";

/** Besu's names of the rules, and the prefixes of the library's messages for each. */
const RULES: readonly (readonly [string, RegExp])[] = [
  ["FieldUndefined", /^Cannot query field /],
  ["MissingFieldArgument", /^Field ".*" argument ".*" of type /],
  ["MissingDirectiveArgument", /^Directive ".*" argument ".*" of type /],
  ["UnknownArgument", /^Unknown argument /],
  ["SubselectionRequired", /^Field ".*" of type ".*" must have a selection/],
  ["SubselectionNotAllowed", /^Field ".*" must not have a selection/],
  ["UndefinedFragment", /^Unknown fragment /],
  ["UnusedFragment", /^Fragment ".*" is never used/],
  ["FragmentCycle", /^Cannot spread fragment /],
  ["FragmentTypeConditionInvalid", /^Fragment .*cannot condition on /],
  ["InvalidFragmentType", /^Fragment .*cannot be spread here/],
  ["UndefinedVariable", /^Variable ".*" is not defined/],
  ["UnusedVariable", /^Variable ".*" is never used/],
  ["NonInputTypeOnVariable", /^Variable ".*" cannot be non-input type/],
  ["VariableTypeMismatch", /^Variable ".*" of type /],
  ["FieldsConflict", /^Fields ".*" conflict /],
  ["UnknownType", /^Unknown type /],
  ["UnknownDirective", /^Unknown directive /],
  ["MisplacedDirective", /^Directive ".*" may not be used /],
  ["DuplicateDirectiveName", /^The directive /],
  ["DuplicateOperationName", /^There can be only one operation /],
  ["DuplicateFragmentName", /^There can be only one fragment /],
  ["DuplicateVariableName", /^There can be only one variable /],
  ["DuplicateArgumentNames", /^There can be only one argument /],
  ["UniqueObjectFieldName", /^There can be only one input field /],
  ["LoneAnonymousOperationViolation", /^This anonymous operation /],
  ["NonExecutableDefinition", / definition is not executable/],
];

/** All other messages are about a value. */
const OTHERWISE = "WrongType";

/** The errors for an invalid document. */
export function describeProblems(
  document: DocumentNode,
  problems: readonly GraphQLError[],
): readonly AnsweredError[] {
  return problems.map((problem) => describe(problem, document));
}

function describe(problem: GraphQLError, document: DocumentNode): AnsweredError {
  const [rule] = RULES.find(([, text]) => text.test(problem.message)) ?? [OTHERWISE];
  const [node] = problem.nodes ?? [];
  const ancestors = node === undefined ? [] : ancestorsOf(node, document);
  const path = ancestors.flatMap(nameOf).join("/");
  const { message, at } = reword(rule, problem, ancestors);
  const place = (at ?? node)?.loc?.startToken;
  return {
    message: `Validation error (${rule}${path === "" ? "" : `@[${path}]`}) : ${message}`,
    ...(place === undefined ? {} : { locations: [{ line: place.line, column: place.column }] }),
    extensions: { classification: "ValidationError" },
  };
}

/** From the outermost node to the node at the same position; the library has parsed it again. */
function ancestorsOf(wanted: ASTNode, document: DocumentNode): readonly ASTNode[] {
  const [start, end] = [wanted.loc?.start ?? 0, wanted.loc?.end ?? 0];
  const found: ASTNode[] = [];
  visit(document, {
    enter(node) {
      const { loc } = node;
      const isAround = loc !== undefined && loc.start <= start && loc.end >= end;
      if (!isAround) return false;
      const isInside = found.at(-1)?.kind === wanted.kind && found.at(-1)?.loc?.start === start;
      if (!isInside) found.push(node);
      return undefined;
    },
  });
  return found;
}

function nameOf(node: ASTNode): readonly string[] {
  if (node.kind === Kind.FIELD) return [node.alias?.value ?? node.name.value];
  return node.kind === Kind.FRAGMENT_DEFINITION ? [node.name.value] : [];
}
