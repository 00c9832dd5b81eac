import type { Codec, ValueOf } from "../codec/codec.js";
import type { CompatibilityMode } from "./compatibility.js";
import type { JsonPieces } from "./json-pieces.js";

/** Parameters in their positional order, by name. */
export type Params = Readonly<Record<string, Codec<unknown>>>;

/** The argument of a handler: every parameter by its name. */
export type ParamValues<P extends Params> = { readonly [K in keyof P]: ValueOf<P[K]> };

/** JSON that is already encoded, as text or as bytes. */
export class RawResult {
  readonly json: string | Uint8Array;

  constructor(json: string | Uint8Array) {
    this.json = json;
  }
}

/** JSON that is produced and sent in chunks. */
export class StreamResult {
  readonly chunks: AsyncIterable<string | Uint8Array>;

  constructor(chunks: AsyncIterable<string | Uint8Array>) {
    this.chunks = chunks;
  }
}

/** A result, with a callback for when it is being sent. */
export class FollowedResult<R> {
  readonly value: R;
  readonly follow: () => void;

  constructor(value: R, follow: () => void) {
    this.value = value;
    this.follow = follow;
  }
}

/** Wraps JSON that is already encoded. */
export function raw(bytes: Uint8Array): RawResult {
  return new RawResult(bytes);
}

/** Wraps JSON that is produced in chunks; it ends when the caller disconnects. */
export function stream(chunks: AsyncIterable<string | Uint8Array>): StreamResult {
  return new StreamResult(chunks);
}

/**
 * Wraps a value with a callback for when the response is being sent.
 *
 * Only listeners that can push call back: messages pushed from then on follow the response.
 */
export function followed<R>(value: R, follow: () => void): FollowedResult<R> {
  return new FollowedResult(value, follow);
}

type Awaitable<T> = T | Promise<T>;
type Result<R> = R | RawResult | JsonPieces | StreamResult | FollowedResult<R>;

/** A JSON-RPC method as a value; `C` is what its handler needs besides the parameters. */
export interface Method<C> {
  readonly summary: string;
  readonly params: Params;
  readonly result: Codec<unknown>;
  /** More or fewer parameters than declared are rejected with a distinct error. */
  readonly exactParams: boolean;
  /** The last parameter is the list of all remaining ones. */
  readonly takesRest: boolean;
  /** `duplex`: only for listeners that can push. */
  readonly caller: "any" | "duplex";
  /** The mode in which it does not exist. */
  readonly absentIn: CompatibilityMode | undefined;
  /** An example call with a possible response. */
  readonly example: MethodExample | undefined;
  /** Another full name of the method. */
  readonly alias: string | undefined;
  /** Another namespace that also serves it; its name stays the same. */
  readonly alsoIn: string | undefined;
  /** Weight for rate limits; 1 by default, 5 and 20 for methods that run on threads. */
  readonly cost: number;
  /** The permission required of the caller; `<namespace>:<method>` by default. */
  readonly permission: string | undefined;
  /**
   * Runs on a worker thread if there are any: its handler uses a `QueryCall` and nothing else.
   *
   * `short` if it mostly takes milliseconds, `long` if it may take seconds.
   */
  readonly offload: Offload | undefined;
  // A property, not a method: a handler that requires more than `C` must not be assignable.
  readonly handle: (params: never, call: C) => unknown;
}

/** The expected duration of a method that runs on a thread. */
export type Offload = "short" | "long";

/** The weight of a call by its expected duration. */
const COSTS: Readonly<Record<Offload | "none", number>> = { none: 1, short: 5, long: 20 };

/** Methods by name, without their namespace. */
export type Methods<C> = Readonly<Record<string, Method<C>>>;

/** A call and its response, as sent. */
export interface MethodExample {
  readonly params: readonly unknown[];
  readonly result: unknown;
}

/** The declaration of a method. */
export interface MethodSettings<P extends Params, R, C> {
  readonly summary: string;
  readonly params?: P;
  readonly result: Codec<R>;
  readonly exactParams?: boolean;
  readonly takesRest?: boolean;
  readonly caller?: "duplex";
  readonly absentIn?: CompatibilityMode;
  readonly example?: MethodExample;
  readonly alias?: string;
  readonly alsoIn?: string;
  readonly cost?: number;
  readonly permission?: string;
  readonly offload?: Offload;
  handle(params: ParamValues<P>, call: C): Awaitable<Result<NoInfer<R>>>;
}

// A declaration without parameters is typed as an empty object.
type NoParams = Readonly<Record<never, Codec<unknown>>>;

/**
 * Declares a method. Its codecs validate the parameters, type the handler and describe it in the
 * reference.
 */
export function method<R, C = unknown, const P extends Params = NoParams>({
  params,
  exactParams = false,
  takesRest = false,
  caller,
  absentIn,
  example,
  alias,
  alsoIn,
  permission,
  offload,
  cost = COSTS[offload ?? "none"],
  ...settings
}: MethodSettings<P, R, C>): Method<C> {
  return {
    summary: settings.summary,
    params: params ?? {},
    result: settings.result as Codec<unknown>,
    exactParams,
    takesRest,
    caller: caller ?? "any",
    absentIn,
    example,
    alias,
    alsoIn,
    cost,
    permission,
    offload,
    handle: (values, call) => settings.handle(values, call),
  };
}
