const MAX_INT32 = 2 ** 31 - 1;
const MIN_INT32 = -(2 ** 31);

/** A well-formed request, as parsed. */
export interface RpcRequest {
  readonly method: string;
  readonly params?: readonly unknown[] | null;
  /** Without one it is a notification. */
  readonly id?: string | number | null;
}

/** Whether a JSON value is a well-formed request. */
export function isRequest(json: unknown): json is RpcRequest {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
  const { method, params, id } = json as Record<string, unknown>;
  if (typeof method !== "string") return false;
  if (params !== undefined && params !== null && !Array.isArray(params)) return false;
  return typeof id !== "boolean" && (typeof id !== "object" || id === null);
}

/** The id in the response to an invalid request, as JSON; Besu reads ids into 32 bits. */
export function idOfInvalid(json: unknown, wraps: boolean): string {
  const id = typeof json === "object" && json !== null ? Reflect.get(json, "id") : undefined;
  if (wraps && Number.isSafeInteger(id)) return BigInt.asIntN(32, BigInt(Number(id))).toString();
  const echoes = Number.isInteger(id) && Number(id) <= MAX_INT32 && Number(id) >= MIN_INT32;
  return echoes ? String(id) : "null";
}
