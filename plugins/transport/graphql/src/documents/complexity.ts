import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from "graphql/index.js";
import { Refusal } from "./refusal.js";

/** The cost of a part of a document, and its nesting depth. */
export interface Weight {
  readonly cost: number;
  readonly depth: number;
  /** Number of expensive fields. */
  readonly expensive: number;
  /** Whether it only queries the schema. */
  readonly isAboutSchema: boolean;
}

/** Cost of fields that lead to another large subtree, by type and name. */
const EXPENSIVE: Readonly<Record<string, number>> = {
  "Transaction.block": 100,
  "__Type.fields": 100,
};

/** Introspection fields. */
const SCHEMA_FIELDS: ReadonlySet<string> = new Set([
  SchemaMetaFieldDef.name,
  TypeMetaFieldDef.name,
  TypeNameMetaFieldDef.name,
]);

const NOTHING: Weight = { cost: 0, depth: 0, expensive: 0, isAboutSchema: true };

/**
 * Computes the cost of operations before a document is validated.
 *
 * Every field costs 1 plus its subfields, wherever it is: fragments count as often as they are spread. Each fragment is
 * computed once, so the time is linear in the size of the document.
 */
export class Weighing {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** `open` while it is being computed. */
  readonly #known = new Map<string, Weight | "open">();
  readonly #costs = new Map<number, number>();

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(
      (fragments as FragmentDefinitionNode[]).map((node) => [node.name.value, node]),
    );
  }

  /** Cost of every field with its subfields, by its offset in the text. */
  get costs(): ReadonlyMap<number, number> {
    return this.#costs;
  }

  weigh({ operation, selectionSet }: OperationDefinitionNode): Weight {
    return this.#weighSet(selectionSet, this.#schema.getRootType(operation));
  }

  /** Every fragment by itself. */
  weighFragments(): readonly Weight[] {
    return [...this.#fragments.keys()].map((name) => this.#weighFragment(name));
  }

  #weighSet({ selections }: SelectionSetNode, parent: GraphQLNamedType | null | undefined): Weight {
    let sum = NOTHING;
    for (const selection of selections) {
      switch (selection.kind) {
        case Kind.FIELD:
          sum = join(sum, this.#weighField(selection, parent));
          break;
        case Kind.INLINE_FRAGMENT: {
          const { typeCondition, selectionSet } = selection;
          const type = typeCondition && this.#schema.getType(typeCondition.name.value);
          sum = join(sum, this.#weighSet(selectionSet, typeCondition ? type : parent));
          break;
        }
        default:
          sum = join(sum, this.#weighFragment(selection.name.value, selection));
      }
    }
    return sum;
  }

  #weighField(field: FieldNode, parent: GraphQLNamedType | null | undefined): Weight {
    const name = field.name.value;
    const expense = EXPENSIVE[`${parent?.name}.${name}`];
    const own = expense ?? 1;
    const type = this.#typeOf(parent, name);
    const below =
      field.selectionSet === undefined ? NOTHING : this.#weighSet(field.selectionSet, type);
    const cost = Math.min(own + below.cost, Number.MAX_SAFE_INTEGER);
    this.#costs.set(field.loc?.start ?? 0, cost);
    return {
      cost,
      depth: below.depth + 1,
      expensive: below.expensive + (expense === undefined ? 0 : 1),
      isAboutSchema: isOfSchema(parent) || SCHEMA_FIELDS.has(name),
    };
  }

  #weighFragment(name: string, spread?: FragmentSpreadNode): Weight {
    const known = this.#known.get(name);
    if (known === "open") throw circle(name, spread);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name);
    if (fragment === undefined) return NOTHING;
    this.#known.set(name, "open");
    const type = this.#schema.getType(fragment.typeCondition.name.value);
    const weight = this.#weighSet(fragment.selectionSet, type);
    this.#known.set(name, weight);
    return weight;
  }

  /** `undefined` for a field that is not in the schema, which validation reports. */
  #typeOf(parent: GraphQLNamedType | null | undefined, name: string): GraphQLNamedType | undefined {
    if (parent !== null && parent === this.#schema.getQueryType()) {
      if (name === SchemaMetaFieldDef.name) return getNamedType(SchemaMetaFieldDef.type);
      if (name === TypeMetaFieldDef.name) return getNamedType(TypeMetaFieldDef.type);
    }
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    const field = hasFields ? parent.getFields()[name] : undefined;
    return field && getNamedType(field.type);
  }
}

function join(one: Weight, other: Weight): Weight {
  return {
    cost: Math.min(one.cost + other.cost, Number.MAX_SAFE_INTEGER),
    depth: Math.max(one.depth, other.depth),
    expensive: one.expensive + other.expensive,
    isAboutSchema: one.isAboutSchema && other.isAboutSchema,
  };
}

/** Only the types of introspection start with two underscores. */
function isOfSchema(type: GraphQLNamedType | null | undefined): boolean {
  return type?.name.startsWith("__") === true;
}

/** The validation rules check this, too, but cyclic fragments make some of them slow. */
function circle(name: string, spread: FragmentSpreadNode | undefined): Refusal {
  const token = spread?.loc?.startToken;
  return Refusal.of(
    `Validation error (FragmentCycle@[${name}]) : Cannot spread fragment "${name}" within itself`,
    "ValidationError",
    token && [{ line: token.line, column: token.column }],
  );
}
