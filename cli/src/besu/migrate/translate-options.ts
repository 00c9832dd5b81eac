import { type OptionSchema, ValueProblem } from "@plinth/core/kernel";
import { statusOf } from "../declare.js";

/** An option in the syntax of the file. */
export interface KeptOption {
  readonly name: string;
  readonly value: unknown;
  /** Whether the value is the path of a file or folder. */
  readonly isPath: boolean;
}

/** An option that is not written, and why. */
export interface DroppedOption {
  readonly name: string;
  readonly reason: string;
}

/** The translation of the options of a file. */
export interface TranslatedOptions {
  readonly kept: readonly KeptOption[];
  /** Unsupported options. */
  readonly missing: readonly DroppedOption[];
  /** Options without effect. */
  readonly idle: readonly DroppedOption[];
}

/**
 * Classifies the options of a Besu configuration file by their status here, under their names here.
 */
export function translateOptions(
  options: ReadonlyMap<string, unknown>,
  schema: OptionSchema,
): TranslatedOptions {
  const kept: KeptOption[] = [];
  const missing: DroppedOption[] = [];
  const idle: DroppedOption[] = [];
  for (const [given, value] of options) {
    const declared = schema.find(given);
    if (declared === undefined) {
      missing.push({ name: given, reason: "no version of Besu up to 24.9.1 has this option" });
      continue;
    }
    const { name, key, option } = declared;
    const { status, reason = "" } = statusOf(schema, key);
    const problem = findProblem(option.kind, value);
    if (problem !== undefined) missing.push({ name, reason: problem });
    else if (status === "served")
      kept.push({ name, value, isPath: option.kind.placeholder === "<PATH>" });
    else if (status === "no effect") idle.push({ name, reason });
    else if (value !== false) missing.push({ name, reason });
  }
  return { kept, missing, idle };
}

function findProblem(kind: { accept(value: unknown, context: object): unknown }, value: unknown) {
  try {
    kind.accept(value, {});
    return undefined;
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    return error.message;
  }
}
