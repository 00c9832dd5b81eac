import { parseJson } from "@plinth/core";
import { EnclaveError } from "./errors.js";

/** The members of a JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a body that must be an object. */
export function readJson(body: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    // The parser's message quotes the body, which may be secret.
    throw new EnclaveError(400, "the body is not JSON");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new EnclaveError(400, "the body is not a JSON object");
}

/** A member that must be a string. */
export function readText(json: JsonObject, name: string): string {
  const value = findText(json, name);
  if (value !== undefined) return value;
  throw new EnclaveError(400, `${name} is missing`);
}

/** A member that may be missing or null. */
export function findText(json: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(json, name) ? json[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw new EnclaveError(400, `${name}: expected text`);
}

/** A list of strings that may be missing or null. */
export function findTexts(json: JsonObject, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(json, name) ? json[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new EnclaveError(400, `${name}: expected a list of strings`);
}
