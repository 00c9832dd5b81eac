import type { Codec, ValueOf } from "../codec/codec.js";
import type { CompatibilityMode } from "./compatibility.js";

/** Parameters in their positional order, by name. */
export type Params = Readonly<Record<string, Codec<unknown>>>;

/** What a handler receives: every parameter by its name. */
export type ParamValues<P extends Params> = { readonly [K in keyof P]: ValueOf<P[K]> };

/** JSON that is there already, as text or as bytes. */
export class RawResult {
  readonly json: string | Uint8Array;

  constructor(json: string | Uint8Array) {
    this.json = json;
  }
}

/** JSON that comes in pieces and is written as it comes. */
export class StreamResult {
  readonly chunks: AsyncIterable<string | Uint8Array>;

  constructor(chunks: AsyncIterable<string | Uint8Array>) {
    this.chunks = chunks;
  }
}

/** A result, and what is to be done once the caller is about to see it. */
export class FollowedResult<R> {
  readonly value: R;
  readonly follow: () => void;

  constructor(value: R, follow: () => void) {
    this.value = value;
    this.follow = follow;
  }
}

/** Answers with JSON that is encoded already. */
export function raw(bytes: Uint8Array): RawResult {
  return new RawResult(bytes);
}

/** Answers with JSON that is made piece by piece; it ends when the caller leaves. */
export function stream(chunks: AsyncIterable<string | Uint8Array>): StreamResult {
  return new StreamResult(chunks);
}

/**
 * Answers with a value and calls back once the answer is on its way.
 *
 * Only listeners that can push call back: what is pushed from then on comes after the answer.
 */
export function followed<R>(value: R, follow: () => void): FollowedResult<R> {
  return new FollowedResult(value, follow);
}

type Awaitable<T> = T | Promise<T>;
type Result<R> = R | RawResult | StreamResult | FollowedResult<R>;

/** A JSON-RPC method as a value; `C` is what its handler needs beside the parameters. */
export interface Method<C> {
  readonly summary: string;
  readonly params: Params;
  readonly result: Codec<unknown>;
  /** More or fewer parameters than declared are an error of their own. */
  readonly exactParams: boolean;
  /** The last parameter is the list of all that are left. */
  readonly takesRest: boolean;
  /** `duplex`: only for listeners that can push. */
  readonly caller: "any" | "duplex";
  /** The mode in which it does not exist. */
  readonly absentIn: CompatibilityMode | undefined;
  /** A call that works, and what it may answer. */
  readonly example: MethodExample | undefined;
  /** Another name that callers know it by, as a whole. */
  readonly alias: string | undefined;
  /** Another namespace that offers it, too; its name stays the same. */
  readonly alsoIn: string | undefined;
  /** Weight for limits of the rate; 1 when left out, 5 and 20 for methods that run on threads. */
  readonly cost: number;
  /** What a caller must hold; `<namespace>:<method>` when left out. */
  readonly permission: string | undefined;
  /**
   * Runs on a thread where there are some: its handler uses a `QueryCall` and nothing else.
   *
   * `short` when it mostly takes milliseconds, `long` when it may take seconds.
   */
  readonly offload: Offload | undefined;
  // A property, not a method: a handler that requires more than `C` must not fit.
  readonly handle: (params: never, call: C) => unknown;
}

/** How long a method takes that runs on a thread. */
export type Offload = "short" | "long";

/** What a call costs by the time that it may take. */
const COSTS: Readonly<Record<Offload | "none", number>> = { none: 1, short: 5, long: 20 };

/** Methods by name, without their namespace. */
export type Methods<C> = Readonly<Record<string, Method<C>>>;

/** A call and its answer, as they are sent. */
export interface MethodExample {
  readonly params: readonly unknown[];
  readonly result: unknown;
}

/** What an author writes. */
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

// An author who declares no parameters gets an empty object.
type NoParams = Readonly<Record<never, Codec<unknown>>>;

/** Declares a method. Its codecs check the parameters, type the handler and write the reference. */
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
