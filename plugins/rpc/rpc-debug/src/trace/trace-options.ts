import { type Codec, type Compatibility, DecodeError, RpcError } from "@plinth/core";
import { DIFFERENCES } from "../differences.js";
import { isKnownTracer } from "../tracers/create-tracer.js";

/** The options of a trace. */
export interface TraceOptions {
  readonly disableStorage: boolean;
  /** The default depends on the format. */
  readonly disableMemory: boolean | undefined;
  readonly disableStack: boolean;
  readonly enableMemory: boolean;
  readonly enableReturnData: boolean;
  /** Maximum number of steps; unlimited if zero. */
  readonly limit: number;
  /** The name of a tracer; struct logs by default. */
  readonly tracer: string | undefined;
  readonly tracerConfig: object;
}

const TEXT = "Invalid transaction trace params";

/** Decodes the options of a trace; unknown ones are ignored. */
export const traceOptions: Codec<TraceOptions> = {
  decode(json, path = "") {
    if (!isObject(json)) throw wrong(path, "an object");
    const read = reader(json, path);
    const tracer = read("tracer", isText, "the name of a tracer");
    const tracerConfig = read("tracerConfig", isObject, "an object") ?? {};
    return {
      disableStorage: read("disableStorage", isBoolean, "true or false") ?? false,
      disableMemory: read("disableMemory", isBoolean, "true or false"),
      disableStack: read("disableStack", isBoolean, "true or false") ?? false,
      enableMemory: read("enableMemory", isBoolean, "true or false") ?? false,
      enableReturnData: read("enableReturnData", isBoolean, "true or false") ?? false,
      limit: read("limit", isCount, "a non-negative number") ?? 0,
      tracer,
      tracerConfig,
    };
  },
  encode: (value) => value,
  schema: { type: "object" },
};

/** Throws if an unknown tracer is named, in modes with tracers. */
export function verifyTracer(
  { tracer, tracerConfig }: TraceOptions,
  { mode }: Compatibility,
): void {
  if (tracer === undefined || !DIFFERENCES[mode].knowsTracers) return;
  if (!isKnownTracer(tracer, tracerConfig)) throw RpcError.invalidParams(TEXT);
}

/** The defaults. */
export const USUAL_OPTIONS: TraceOptions = traceOptions.decode({});

function reader(json: object, path: string) {
  return <T>(name: string, is: (value: unknown) => value is T, expected: string): T | undefined => {
    const value: unknown = Reflect.get(json, name) ?? undefined;
    if (value === undefined || is(value)) return value;
    throw wrong(path === "" ? name : `${path}.${name}`, expected);
  };
}

function wrong(path: string, expected: string): DecodeError {
  return new DecodeError(path, expected, TEXT);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
