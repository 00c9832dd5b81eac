import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  specifiedRules,
  type ValidationRule,
  validate,
  visit,
} from "graphql/index.js";
import type { AnsweredError } from "./refusal.js";
import { rewordFor } from "./wording.js";

/** The name that callers know each rule by. */
const RULES: Readonly<Record<string, string>> = {
  ExecutableDefinitionsRule: "NonExecutableDefinition",
  UniqueOperationNamesRule: "DuplicateOperationName",
  LoneAnonymousOperationRule: "LoneAnonymousOperationViolation",
  SingleFieldSubscriptionsRule: "SubscriptionMultipleRootFields",
  KnownTypeNamesRule: "UnknownType",
  FragmentsOnCompositeTypesRule: "FragmentTypeConditionInvalid",
  VariablesAreInputTypesRule: "NonInputTypeOnVariable",
  ScalarLeafsRule: "SubselectionRequired",
  FieldsOnCorrectTypeRule: "FieldUndefined",
  UniqueFragmentNamesRule: "DuplicateFragmentName",
  KnownFragmentNamesRule: "UndefinedFragment",
  NoUnusedFragmentsRule: "UnusedFragment",
  PossibleFragmentSpreadsRule: "InvalidFragmentType",
  NoFragmentCyclesRule: "FragmentCycle",
  UniqueVariableNamesRule: "DuplicateVariableName",
  NoUndefinedVariablesRule: "UndefinedVariable",
  NoUnusedVariablesRule: "UnusedVariable",
  KnownDirectivesRule: "UnknownDirective",
  UniqueDirectivesPerLocationRule: "DuplicateDirectiveName",
  KnownArgumentNamesRule: "UnknownArgument",
  UniqueArgumentNamesRule: "DuplicateArgumentNames",
  ValuesOfCorrectTypeRule: "WrongType",
  ProvidedRequiredArgumentsRule: "MissingFieldArgument",
  VariablesInAllowedPositionRule: "VariableTypeMismatch",
  OverlappingFieldsCanBeMergedRule: "FieldsConflict",
  UniqueInputFieldNamesRule: "UniqueObjectFieldName",
};

/** What a schema does not allow in a document; empty when all is well. */
export function findProblems(
  schema: GraphQLSchema,
  document: DocumentNode,
): readonly AnsweredError[] {
  const brokenRules = new Map<GraphQLError, string>();
  const noting = specifiedRules.map((rule) => note(rule, brokenRules));
  const problems = validate(schema, document, noting);
  if (problems.length === 0) return [];
  const parents = parentsIn(document);
  return problems.map((problem) => describe(problem, brokenRules.get(problem) ?? "", parents));
}

/** The same rule, which leaves its name with every error. */
function note(rule: ValidationRule, brokenRules: Map<GraphQLError, string>): ValidationRule {
  return (context) => {
    const noting = Object.create(context) as typeof context;
    noting.reportError = (error) => {
      brokenRules.set(error, rule.name);
      context.reportError(error);
    };
    return rule(noting);
  };
}

function describe(
  problem: GraphQLError,
  rule: string,
  parents: ReadonlyMap<ASTNode, ASTNode>,
): AnsweredError {
  const [node] = problem.nodes ?? [];
  const ancestors = node === undefined ? [] : ancestorsOf(node, parents);
  const path = ancestors.flatMap(nameOf).join("/");
  const { message, at } = rewordFor(rule, problem, ancestors);
  const place = at?.loc?.startToken ?? node?.loc?.startToken;
  const name = RULES[rule] ?? "ValidationError";
  return {
    message: `Validation error (${name}${path === "" ? "" : `@[${path}]`}) : ${message}`,
    ...(place === undefined ? {} : { locations: [{ line: place.line, column: place.column }] }),
    extensions: { classification: "ValidationError" },
  };
}

/** From the outermost node to the node itself. */
function ancestorsOf(node: ASTNode, parents: ReadonlyMap<ASTNode, ASTNode>): readonly ASTNode[] {
  const found: ASTNode[] = [];
  for (let at: ASTNode | undefined = node; at !== undefined; at = parents.get(at)) found.push(at);
  return found.reverse();
}

function nameOf(node: ASTNode): readonly string[] {
  if (node.kind === Kind.FIELD) return [node.alias?.value ?? node.name.value];
  return node.kind === Kind.FRAGMENT_DEFINITION ? [node.name.value] : [];
}

function parentsIn(document: DocumentNode): ReadonlyMap<ASTNode, ASTNode> {
  const parents = new Map<ASTNode, ASTNode>();
  const path: ASTNode[] = [];
  visit(document, {
    enter(node) {
      const parent = path.at(-1);
      if (parent !== undefined) parents.set(node, parent);
      path.push(node);
    },
    leave() {
      path.pop();
    },
  });
  return parents;
}
