import { parseSync } from "@swc/core";

/** A node of a syntax tree; which other fields it has depends on its type. */
export interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The statements of a TypeScript module, in order. */
export function parseModule(source: string): readonly SyntaxNode[] {
  const options = { syntax: "typescript", decorators: true, target: "es2022" } as const;
  const statements: readonly unknown[] = parseSync(source, options).body;
  return statements.filter(isNode);
}

/** All nodes at and below the given ones. */
export function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (isNode(value)) yield value;
  if (typeof value !== "object" || value === null) return;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

/** The value of a string literal; `undefined` for every other node. */
export function findStringValue(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== "StringLiteral") return undefined;
  return typeof node.value === "string" ? node.value : undefined;
}

/** Whether the value is a node of a syntax tree. */
export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}
