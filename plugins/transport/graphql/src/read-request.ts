import type { IncomingMessage } from "node:http";
import { messageOf, parseJson } from "@plinth/core";

/** A GraphQL request. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** A body or URL that is not a valid request, with the reason. */
export class UnreadableRequest extends Error {}

const MEMBERS: readonly string[] = ["query", "operationName", "variables", "extensions"];

/** A request in a URL: `?query=…&operationName=…&variables=…`. */
export function readAddress(address: string): GraphqlRequest {
  const { searchParams } = new URL(address, "http://localhost");
  const variables = searchParams.get("variables");
  return {
    query: searchParams.get("query") ?? "",
    operationName: searchParams.get("operationName") ?? undefined,
    variables: readVariables(variables === null ? undefined : readJson(variables)),
  };
}

/** A request in a body: JSON, or the document itself under any other content type. */
export function readBody(message: IncomingMessage, body: string): GraphqlRequest {
  if (!isJson(message)) return { query: body, operationName: undefined, variables: undefined };
  const json = readJson(body);
  if (!isObject(json)) throw new UnreadableRequest(`expected an object, got ${kindOf(json)}`);
  const unknown = Object.keys(json).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    throw new UnreadableRequest(
      `unknown member "${unknown.slice(0, 64)}"; expected one of ${MEMBERS.join(", ")}`,
    );
  }
  const { query = "", operationName } = json;
  if (typeof (query ?? "") !== "string") throw new UnreadableRequest("query: expected text");
  if (typeof (operationName ?? "") !== "string") {
    throw new UnreadableRequest("operationName: expected text");
  }
  return {
    query: String(query ?? ""),
    operationName: typeof operationName === "string" ? operationName : undefined,
    variables: readVariables(json.variables),
  };
}

/** Reads the raw header: the server replaces every content type with JSON. */
function isJson({ rawHeaders }: IncomingMessage): boolean {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && /^content-type$/i.test(name));
  return at >= 0 && /^\s*application\/json\s*(;|$)/i.test(rawHeaders[at + 1] ?? "");
}

function readVariables(json: unknown): GraphqlRequest["variables"] {
  if (json === undefined || json === null) return undefined;
  if (isObject(json)) return json;
  throw new UnreadableRequest(`variables: expected an object, got ${kindOf(json)}`);
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new UnreadableRequest(messageOf(error));
  }
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function kindOf(json: unknown): string {
  return Array.isArray(json) ? "a list" : json === null ? "null" : `a ${typeof json}`;
}
