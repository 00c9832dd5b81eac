import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  Source,
  separateOperations,
  visit,
} from "graphql/index.js";
import { Weighing, type Weight } from "./complexity.js";
import { describeProblems } from "./describe-problems.js";
import { type AnsweredError, Refusal } from "./refusal.js";
import { scan, syntaxProblem } from "./scan.js";

/** Limits of one query. */
export interface DocumentLimits {
  readonly complexity: number;
  readonly depth: number;
  /** Whether an introspection query may cost twice as much. */
  readonly favorsIntrospection: boolean;
}

/** One executable operation of a document. */
export interface Operation {
  readonly kind: OperationDefinitionNode["operation"];
  /** The document with only this operation; positions are those of the whole. */
  readonly source: string;
  /** Cost of every field with its subfields, by its offset in the text. */
  readonly costs: ReadonlyMap<number, number>;
  /** Throws a `Refusal` if the values are invalid. */
  verifyVariables(values: Readonly<Record<string, unknown>>): void;
}

/** A parsed document. */
interface Known {
  readonly document: DocumentNode;
  /** Its approximate size. */
  readonly bytes: number;
  readonly operations: Map<string | undefined, Operation>;
}

/** More tokens than fields within the limits need, if long lists are passed as variables. */
const WORDS_PER_COMPLEXITY = 8;
const MIN_WORDS = 1600;
/** Fields of a whole document, per field that one operation may have. */
const FIELDS_PER_COMPLEXITY = 2;
/** Cost factor for introspection queries: that of GraphiQL costs 319. */
const FOR_INTROSPECTION = 2;
/** Validation compares the arguments of fields with the same name pairwise. */
const MAX_SAME_NAMES = 50;
/** Approximate size of a parsed token. */
const WORD_BYTES = 500;
/** Approximate size limit for cached documents. */
const MAX_KNOWN_BYTES = 32 * 1024 * 1024;

/**
 * Decides which documents are small enough to be validated and executed, and caches them.
 *
 * Every step takes linear time, and bounds the input of the next one: the tokens, then the fields, then their cost.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #limits: DocumentLimits;
  readonly #forget: () => void;
  readonly #known = new Map<string, Known>();
  readonly #maxWords: number;
  #knownBytes = 0;

  /** `forget` is called when everything derived from documents must be released. */
  constructor(schema: GraphQLSchema, limits: DocumentLimits, forget: () => void) {
    this.#schema = schema;
    this.#limits = limits;
    this.#forget = forget;
    this.#maxWords = Math.max(MIN_WORDS, limits.complexity * WORDS_PER_COMPLEXITY);
  }

  /** The operation of a request; throws a `Refusal` if it cannot be executed. */
  admit(text: string, name: string | undefined): Operation {
    const known = this.#known.get(text) ?? this.#read(text);
    const opened = known.operations.get(name);
    if (opened !== undefined) return opened;
    const operation = this.#open(text, known, name);
    known.operations.set(name, operation);
    return operation;
  }

  /** The errors for an admitted document that is invalid. */
  describe(text: string, problems: readonly GraphQLError[]): readonly AnsweredError[] {
    const { document } = this.#known.get(text) ?? this.#read(text);
    return describeProblems(document, problems);
  }

  #read(text: string): Known {
    const source = new Source(text);
    const words = scan(source, this.#maxWords);
    const document = parseSource(source);
    this.#verifySize(document);
    const known = { document, bytes: 2 * text.length + words * WORD_BYTES, operations: new Map() };
    this.#count(known.bytes);
    this.#known.set(text, known);
    return known;
  }

  #open(text: string, { document, bytes }: Known, name: string | undefined): Operation {
    const { node, costs } = this.#weigh(document, name);
    this.#verifyFragments(document);
    // Each has its own text, which is parsed once more.
    this.#count(bytes);
    return {
      kind: node.operation,
      source: isolate(text, document, node),
      costs,
      verifyVariables: (values) => verifyVariables(this.#schema, node, values),
    };
  }

  #weigh(document: DocumentNode, name: string | undefined) {
    const node = chooseOperation(document, name);
    const weighing = new Weighing(this.#schema, document);
    const weight = weighing.weigh(node);
    const { depth } = weight;
    this.#verifyCost(weight);
    if (depth > this.#limits.depth) {
      throw tooMuch(`maximum query depth exceeded ${depth} > ${this.#limits.depth}`);
    }
    return { node, costs: weighing.costs };
  }

  /** Fragments that the operation does not spread are validated, too. */
  #verifyFragments(document: DocumentNode): void {
    for (const weight of new Weighing(this.#schema, document).weighFragments()) {
      this.#verifyCost(weight);
    }
  }

  #verifyCost({ cost, expensive, isAboutSchema }: Weight): void {
    const { complexity, favorsIntrospection } = this.#limits;
    // Tools list the fields of types once; types within fields within types are much more
    // expensive.
    const isIntrospection = isAboutSchema && expensive <= 1;
    const most =
      favorsIntrospection && isIntrospection ? complexity * FOR_INTROSPECTION : complexity;
    if (cost > most) throw tooMuch(`maximum query complexity exceeded ${cost} > ${most}`);
  }

  #verifySize(document: DocumentNode): void {
    const most = this.#limits.complexity * FIELDS_PER_COMPLEXITY;
    const sameNames = new Map<string, number>();
    let count = 0;
    const add = () => {
      count += 1;
    };
    visit(document, {
      Field({ alias, name, arguments: given = [] }) {
        add();
        if (given.length === 0) return;
        const key = alias?.value ?? name.value;
        sameNames.set(key, (sameNames.get(key) ?? 0) + 1);
      },
      FragmentSpread: add,
      InlineFragment: add,
      Directive: add,
    });
    if (count > most) throw tooMuch(`the document has ${count} fields, more than ${most}`);
    for (const [name, times] of sameNames) {
      if (times <= MAX_SAME_NAMES) continue;
      throw tooMuch(`${times} fields with arguments are called ${name}; at most ${MAX_SAME_NAMES}`);
    }
  }

  /** Clears the cache when it exceeds its limit. */
  #count(bytes: number): void {
    if (this.#knownBytes + bytes > MAX_KNOWN_BYTES) {
      this.#known.clear();
      this.#knownBytes = 0;
      this.#forget();
    }
    this.#knownBytes += bytes;
  }
}

function parseSource(source: Source): DocumentNode {
  try {
    return parse(source);
  } catch (error) {
    throw syntaxProblem(error, source);
  }
}

function chooseOperation(
  document: DocumentNode,
  name: string | undefined,
): OperationDefinitionNode {
  const operations = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  const chosen =
    name === undefined ? operations : operations.filter((node) => node.name?.value === name);
  const [operation] = chosen;
  if (operation === undefined) {
    const what = name === undefined ? "" : ` named '${name}'`;
    throw Refusal.of(`Unknown operation${what}.`, "ValidationError");
  }
  if (name === undefined && chosen.length > 1) {
    const message = "Must provide operation name if query contains multiple operations.";
    throw Refusal.of(message, "ValidationError");
  }
  if (operation.operation === "subscription") {
    throw Refusal.of("There are no subscriptions.", "ValidationError");
  }
  return operation;
}

/**
 * Blanks out the other operations, and fragments that only they use.
 *
 * The library caches by the text alone, regardless of the selected operation.
 */
function isolate(text: string, document: DocumentNode, node: OperationDefinitionNode): string {
  const operations = separateOperations(document);
  if (Object.keys(operations).length === 1) return text;
  const own = operations[node.name?.value ?? ""]?.definitions ?? [];
  let isolated = text;
  for (const { loc } of document.definitions) {
    const isOwn = own.some((kept) => kept.loc?.start === loc?.start);
    if (isOwn || loc === undefined) continue;
    const blank = text.slice(loc.start, loc.end).replaceAll(/[^\n\r]/g, " ");
    isolated = isolated.slice(0, loc.start) + blank + isolated.slice(loc.end);
  }
  return isolated;
}

function verifyVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Readonly<Record<string, unknown>>,
): void {
  const { errors } = getVariableValues(schema, variableDefinitions, values, { maxErrors: 10 });
  if (errors === undefined) return;
  throw new Refusal(
    errors.map(({ message, locations = [] }) => ({
      message: message.replace(/^Variable "\$(\w+)"/, "Variable '$1'"),
      locations,
      extensions: { classification: "ValidationError" },
    })),
  );
}

function tooMuch(message: string): Refusal {
  return Refusal.of(message, "ExecutionAborted");
}
