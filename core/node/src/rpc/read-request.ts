const MAX_INT32 = 2 ** 31 - 1;
const MIN_INT32 = -(2 ** 31);
const NO_PARAMS: readonly unknown[] = Object.freeze([]);

/** A well-formed request. */
export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly id: unknown;
  readonly isNotification: boolean;
}

/** The request in a JSON value; `undefined` if it is malformed. */
export function readRequest(json: unknown): RpcRequest | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  const { method, params, id } = json as Record<string, unknown>;
  if (typeof method !== "string") return undefined;
  if (params !== undefined && params !== null && !Array.isArray(params)) return undefined;
  if (typeof id === "boolean" || (typeof id === "object" && id !== null)) return undefined;
  // JSON has no undefined.
  return { method, params: params ?? NO_PARAMS, id, isNotification: id === undefined };
}

/** The id in the response to an invalid request, as JSON; Besu reads ids into 32 bits. */
export function idOfInvalid(json: unknown, wraps: boolean): string {
  const id = typeof json === "object" && json !== null ? Reflect.get(json, "id") : undefined;
  if (wraps && Number.isSafeInteger(id)) return BigInt.asIntN(32, BigInt(Number(id))).toString();
  const echoes = Number.isInteger(id) && Number(id) <= MAX_INT32 && Number(id) >= MIN_INT32;
  return echoes ? String(id) : "null";
}

/** The id of a request as JSON; unchanged if a number cannot represent it. */
export function formatId(id: unknown, findIdText: () => string | undefined): string {
  if (typeof id !== "number") return JSON.stringify(id ?? null);
  return Number.isSafeInteger(id) ? String(id) : (findIdText() ?? JSON.stringify(id));
}
