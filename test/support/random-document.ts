import type { Dice } from "./mutate.js";

/** A type as introspection returns it. */
export interface IntrospectedType {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: IntrospectedType | null;
  readonly fields?: readonly IntrospectedField[] | null;
  readonly inputFields?: readonly IntrospectedValue[] | null;
}

interface IntrospectedField {
  readonly name: string;
  readonly args: readonly IntrospectedValue[];
  readonly type: IntrospectedType;
}

interface IntrospectedValue {
  readonly name: string;
  readonly type: IntrospectedType;
}

/** A request with a document that is valid, nearly valid, or garbage. */
export interface RandomRequest {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: unknown;
}

/** Text in place of a value. */
const VALUES: readonly string[] = [
  "0",
  "1",
  "2",
  "-1",
  "1.5",
  "99999999999999999999999",
  "null",
  "true",
  "NAME",
  "$v",
  "$w",
  "[]",
  "[[]]",
  "{}",
  '""',
  '"0x"',
  '"0x0"',
  '"0x1"',
  '"1"',
  '"0xzz"',
  '"\\u0000\\ud83d"',
  '"""text\n  of lines"""',
  `"0x${"ab".repeat(32)}"`,
  `"0x${"00".repeat(31)}01"`,
  '"0x00000000000000000000000000000000000000b0"',
  '"0xfe3b557e8fb62b89f4916b721be55ceb828dbd73"',
  "{topics:[],addresses:[]}",
  "{fromBlock:0,toBlock:2}",
  '{to:"0x00000000000000000000000000000000000000b0"}',
  '{data:"0x60005b600256",gas:100000}',
  '{data:"0x6000600052602060001b"}',
];
const VARIABLES: readonly unknown[] = [
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  "0x0",
  "x",
  null,
  [],
  {},
  [[]],
  true,
];
const TYPES = ["Long", "Bytes32!", "[Address!]", "FilterCriteria", "CallData!", "Nothing", "Int"];
const DIRECTIVES = ["@skip(if:true)", "@include(if:$v)", "@include(if:false)", "@odd", "@skip"];
const ODD_NAMES = ["__typename", "__schema", "__proto__", "constructor", "nothing", "toString"];
const MAX_DEPTH = 9;

/** Writes documents for a schema, most of which are plausible. */
export class RandomDocuments {
  readonly #types: ReadonlyMap<string, IntrospectedType>;
  readonly #dice: Dice;

  constructor(types: readonly IntrospectedType[], dice: Dice) {
    this.#types = new Map(types.map((type) => [type.name ?? "", type]));
    this.#dice = dice;
  }

  next(): RandomRequest {
    const isChange = this.#once(20);
    const root = isChange ? "Mutation" : "Query";
    const names = Array.from(
      { length: this.#once(3) ? 1 + this.#dice(3) : 0 },
      (_, at) => `F${at}`,
    );
    const fragments = names.map((name) => this.#fragment(name, names));
    const kind = isChange ? "mutation" : "query";
    const head = this.#once(6) ? `${kind} A${this.#variables()}` : isChange ? kind : "";
    const other = this.#once(8) ? `query B${this.#selection("Query", 2, names)}` : "";
    const query = [`${head}${this.#selection(root, 0, names)}`, other, ...fragments].join(" ");
    return {
      query,
      ...(this.#once(15) ? { operationName: this.#pick(["A", "B", "C"]) } : {}),
      ...(this.#once(3)
        ? { variables: { v: this.#pick(VARIABLES), w: this.#pick(VARIABLES) } }
        : {}),
    };
  }

  #fragment(name: string, names: readonly string[]): string {
    const type = this.#pick(["Block", "Transaction", "Account", "Query", "Log", "Pending", "Odd"]);
    return `fragment ${name} on ${type}${this.#selection(type, 3, names)}`;
  }

  #variables(): string {
    return this.#once(2)
      ? `($v:${this.#pick(TYPES)},$w:${this.#pick(TYPES)}=${this.#value()})`
      : "";
  }

  /**
   * One value of many, or seldom something else: a document with a single error is rejected as a
   * whole.
   */
  #seldom(): boolean {
    return this.#once(120);
  }

  #selection(type: string, depth: number, fragments: readonly string[]): string {
    const fields = this.#types.get(type)?.fields ?? [];
    const count = 1 + this.#dice(this.#once(40) ? 60 : 5);
    const parts = Array.from({ length: count }, () => {
      if (fragments.length > 0 && this.#once(12)) return `...${this.#pick(fragments)}`;
      if (this.#once(15)) return `...on ${type}${this.#selection(type, depth + 1, fragments)}`;
      const field = fields[this.#dice(Math.max(1, fields.length))];
      if (field === undefined || this.#seldom()) return this.#pick(ODD_NAMES);
      return this.#field(field, depth, fragments);
    });
    return `{${parts.join(" ")}}`;
  }

  #field(field: IntrospectedField, depth: number, fragments: readonly string[]): string {
    const name = this.#seldom() ? this.#pick(ODD_NAMES) : `a${this.#dice(100_000)}`;
    const alias = field.args.length > 0 || this.#once(5) ? `${name}:` : "";
    const given = field.args.filter(({ type }) =>
      type.kind === "NON_NULL" ? !this.#seldom() : this.#once(4),
    );
    const values = given.map(({ name, type }) => `${name}:${this.#valueOf(type, 0)}`);
    const args = values.length === 0 ? "" : `(${values.join(",")})`;
    const directive = this.#seldom() ? this.#pick(DIRECTIVES) : "";
    const type = named(field.type);
    const isObject = type.kind === "OBJECT";
    const isDeep = depth >= MAX_DEPTH && !this.#once(30);
    const below = isObject
      ? isDeep
        ? "{__typename}"
        : this.#selection(type.name ?? "", depth + 1, fragments)
      : "";
    return `${alias}${field.name}${args}${directive}${below}`;
  }

  /** A mostly valid value. */
  #valueOf(type: IntrospectedType, depth: number): string {
    if (this.#seldom() || depth > 4) return this.#value();
    if (type.kind === "NON_NULL" && type.ofType) return this.#valueOf(type.ofType, depth);
    if (type.kind === "LIST" && type.ofType) {
      const { ofType } = type;
      const items = Array.from({ length: this.#dice(3) }, () => this.#valueOf(ofType, depth + 1));
      return `[${items.join(",")}]`;
    }
    const fields = this.#types.get(type.name ?? "")?.inputFields ?? [];
    if (fields.length > 0) {
      const given = fields.filter(() => this.#once(2));
      const members = given.map(({ name, type }) => `${name}:${this.#valueOf(type, depth + 1)}`);
      return `{${members.join(",")}}`;
    }
    switch (type.name) {
      case "Address":
        return this.#pick(VALUES.filter((value) => value.length === 44));
      case "Bytes32":
        return this.#pick(VALUES.filter((value) => value.length === 68));
      case "Bytes":
        // Code that does not end takes the gas that operators allow, which is tested elsewhere.
        return this.#pick(['"0x"', '"0x6000"']);
      default:
        return this.#pick(["0", "1", "2", '"0x1"', "3000000"]);
    }
  }

  #value(): string {
    return this.#pick(VALUES);
  }

  #once(times: number): boolean {
    return this.#dice(times) === 0;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#dice(items.length)] as T;
  }
}

function named(type: IntrospectedType): IntrospectedType {
  return type.ofType ? named(type.ofType) : type;
}
