import { performance } from "node:perf_hooks";
import {
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  AsyncSeriesWaterfallHook,
  SyncHook,
  SyncWaterfallHook,
} from "tapable";
import { sealedError } from "./contributions.js";
import { messageOf, PlinthError, PluginError, readableError } from "./errors.js";
import { activities } from "./watch/activity.js";
import type { TapWatch } from "./watch/tap-watch.js";

/** How taps combine and how errors are handled. */
export type HookKind = "notify" | "observe" | "check" | "decide" | "refine" | "rewrite";

/** The stage of a tap within a hook; within a stage the plugin order applies. */
export type TapStage = "early" | "normal" | "late";

/** The description of a hook on the reference page. */
export interface HookDocs {
  readonly since: string;
  readonly summary: string;
}

type Awaitable<T> = T | Promise<T>;

declare const RUNTIME: unique symbol;

/** Placeholder, in the type of a tap, for the runtime of the tapping plugin. */
export interface TapRuntime {
  readonly [RUNTIME]: never;
}

/** The plugin's view of a hook: it can only tap. */
export interface Tappable<H> {
  readonly name: string;
  tap(handler: H, order?: { readonly stage?: TapStage }): void;
}

/** The owner's view of a hook. */
export interface Hook<H, C> {
  readonly name: string;
  readonly kind: HookKind;
  readonly docs: HookDocs;
  readonly call: C;
  /** Whether any enabled plugin taps it. Hot paths check this before they create an event. */
  isUsed(): boolean;
  /** The tapping plugins, enabled or not. */
  plugins(): readonly string[];
  /** The view of one plugin. */
  facade(plugin: string): Tappable<H>;
}

/**
 * Taps are notified synchronously; one that throws is reported and the others continue. `since` is
 * the reading of the clock just before, if there was one.
 */
export type NotifyHook<E> = Hook<
  (event: E, runtime: TapRuntime) => void,
  (event: E, since?: number) => void
>;
/**
 * Taps are notified in order and awaited for at most 10 s; one that throws is reported and the
 * others continue.
 */
export type ObserveHook<E> = Hook<
  (event: E, runtime: TapRuntime) => Awaitable<void>,
  (event: E) => Promise<void>
>;
/** Taps may reject by throwing. */
export type CheckHook<E> = Hook<
  (event: E, runtime: TapRuntime) => Awaitable<void>,
  (event: E) => Promise<void>
>;
/** The same for hooks called before the node is open, when there is no runtime yet. */
export type EarlyCheckHook<E> = Hook<(event: E) => Awaitable<void>, (event: E) => Promise<void>>;
/** The first result that is not `undefined` wins; the call is synchronous if the taps are. */
export type DecideHook<E, A> = Hook<
  (event: E, runtime: TapRuntime) => Awaitable<A | undefined>,
  (event: E) => Awaitable<A | undefined>
>;
/** Taps may return a modified value. */
export type RefineHook<V, X> = Hook<
  (value: V, context: X, runtime: TapRuntime) => Awaitable<V | undefined>,
  (value: V, context: X) => Promise<V>
>;
/**
 * Taps may return a modified value, synchronously and without a runtime: for declarations, before
 * the node is open.
 */
export type RewriteHook<V, X> = Hook<
  (value: V, context: X) => V | undefined,
  (value: V, context: X) => V
>;

/** Hooks by area and name, as held by their owners. */
export type HookGroups = Readonly<Record<string, Readonly<Record<string, Hook<never, unknown>>>>>;

/** The same hooks as a plugin with the runtime `R` sees them. */
export type HookFacades<G, R> = {
  readonly [A in keyof G]: {
    readonly [N in keyof G[A]]: G[A][N] extends Hook<infer H, unknown>
      ? Tappable<WithRuntime<H, R>>
      : never;
  };
};

type WithRuntime<H, R> = H extends (...values: [...infer V, TapRuntime]) => infer A
  ? (...values: [...V, R]) => A
  : H;

/** A tap that threw without stopping the flow. */
export interface TapFailure {
  readonly plugin: string;
  readonly hook: string;
  readonly error: unknown;
  /** Number of failures of this tap's plugin in this hook. */
  readonly count: number;
}

/** The values that taps of a hook may return besides `undefined`. */
export interface Expected {
  readonly isRight: (result: unknown) => boolean;
  /** For people, such as `"skip" or "drop"`. */
  readonly text: string;
}

/** A plugin that taps hooks: its taps are skipped unless it is active. */
export interface TapOwner {
  readonly active: boolean;
  /** While the node is open; `undefined` before. */
  readonly runtime?: unknown;
}

interface HookSetting {
  /** Called once for each tap. */
  readonly ownerOf: (plugin: string) => TapOwner | undefined;
  readonly failed: (failure: TapFailure) => void;
  /** Receives every asynchronous tap; none by default. */
  readonly watch?: Pick<TapWatch, "watch" | "awaitWatcher">;
}

type Handler = (...values: readonly unknown[]) => unknown;

/** A tap with its guard, and the call of a hook: hooks without a context ignore it. */
type Guarded = (value: unknown, context?: unknown) => unknown;

interface Tapped {
  readonly plugin: string;
  readonly owner: TapOwner | undefined;
  readonly handler: Handler;
}

interface GuardedTap extends Tapped {
  readonly kind: HookKind;
  readonly hook: string;
  readonly takesContext: boolean;
  readonly expected: Expected | undefined;
  readonly report: (plugin: string, error: unknown) => void;
}

/** The definition of a hook. */
interface HookParts {
  readonly kind: HookKind;
  readonly name: string;
  readonly docs: HookDocs;
  /** Whether taps get a context besides the value. */
  readonly takesContext?: boolean;
  /** Any value by default. */
  readonly expected?: Expected | undefined;
}

/** The part of tapable's classes that the wrapper uses. */
interface TapableHook {
  tap(options: { name: string; stage: number }, fn: Guarded): void;
  tapAsync?(options: { name: string; stage: number }, fn: (...values: never[]) => void): void;
  call?(value: unknown, context: unknown): unknown;
  promise?(value: unknown, context: unknown): Promise<unknown>;
  callAsync?(value: unknown, done: Done): void;
}

/** Receives the result of a tap or a hook. */
type Done = (error: unknown, result?: unknown) => void;

const STAGES: Readonly<Record<TapStage, number>> = { early: -1, normal: 0, late: 1 };

/** Creates hooks and seals them all at once. */
export class HookFactory {
  readonly #setting: HookSetting;
  #sealed = false;

  constructor(setting: HookSetting) {
    this.#setting = setting;
  }

  notify<E>(name: string, docs: HookDocs): NotifyHook<E> {
    return this.#sync(
      { kind: "notify", name, docs },
      new SyncHook<[unknown, unknown]>(["event", "since"]),
    ) as NotifyHook<E>;
  }

  observe<E>(name: string, docs: HookDocs): ObserveHook<E> {
    const inner = new AsyncSeriesHook(["event"]);
    return this.#async({ kind: "observe", name, docs }, inner) as ObserveHook<E>;
  }

  check<E>(name: string, docs: HookDocs): CheckHook<E> {
    const inner = new AsyncSeriesHook(["event"]);
    return this.#async({ kind: "check", name, docs }, inner) as CheckHook<E>;
  }

  earlyCheck<E>(name: string, docs: HookDocs): EarlyCheckHook<E> {
    return this.check(name, docs) as unknown as EarlyCheckHook<E>;
  }

  decide<E, A>(name: string, docs: HookDocs, expected?: Expected): DecideHook<E, A> {
    const inner = new AsyncSeriesBailHook(["event"]);
    return this.#prompt({ kind: "decide", name, docs, expected }, inner) as DecideHook<E, A>;
  }

  refine<V, X>(name: string, docs: HookDocs, expected?: Expected): RefineHook<V, X> {
    const inner = new AsyncSeriesWaterfallHook<[unknown, unknown]>(["value", "context"]);
    const parts: HookParts = { kind: "refine", name, docs, takesContext: true, expected };
    return this.#async(parts, inner) as RefineHook<V, X>;
  }

  rewrite<V, X>(name: string, docs: HookDocs, expected?: Expected): RewriteHook<V, X> {
    const inner = new SyncWaterfallHook<[unknown, unknown]>(["value", "context"]);
    const parts: HookParts = { kind: "rewrite", name, docs, takesContext: true, expected };
    return this.#sync(parts, inner) as RewriteHook<V, X>;
  }

  /** Rejects later taps. */
  seal(): void {
    this.#sealed = true;
  }

  #sync(parts: HookParts, inner: unknown): Hook<Handler, Handler> {
    const hook = inner as TapableHook;
    return this.#make(parts, {
      add: (order, tap) => hook.tap(order, tap),
      call: (value, context) => hook.call?.(value, context),
    });
  }

  #async(parts: HookParts, inner: unknown): Hook<Handler, Handler> {
    const hook = inner as TapableHook;
    const settle = parts.takesContext ? settlingWithContext : settling;
    return this.#make(parts, {
      add: (order, tap) => hook.tapAsync?.(order, settle(tap)),
      call: (value, context) => hook.promise?.(value, context),
    });
  }

  /** A hook of one value that waits only for asynchronous taps. */
  #prompt(parts: HookParts, inner: unknown): Hook<Handler, Handler> {
    const hook = inner as TapableHook;
    return this.#make(parts, {
      add: (order, tap) => hook.tapAsync?.(order, settling(tap)),
      call: (value) => awaitLate((done) => hook.callAsync?.(value, done)),
    });
  }

  #make(
    { kind, name, docs, takesContext = false, expected }: HookParts,
    inner: { add(order: { name: string; stage: number }, tap: Guarded): void; call: Guarded },
  ): Hook<Handler, Handler> {
    const tapped: Tapped[] = [];
    const counts = new Map<string, number>();
    const { ownerOf, failed } = this.#setting;
    const report = (plugin: string, error: unknown) => {
      const count = (counts.get(plugin) ?? 0) + 1;
      counts.set(plugin, count);
      failed({ plugin, hook: name, error, count });
    };
    return {
      name,
      kind,
      docs,
      call: inner.call,
      plugins: () => [...new Set(tapped.map(({ plugin }) => plugin))],
      isUsed: () => tapped.some(({ owner }) => owner?.active === true),
      facade: (plugin) => ({
        name,
        tap: (handler, { stage = "normal" } = {}) => {
          if (this.#sealed) throw sealedError(plugin, `tap ${name}`);
          const tap = { plugin, owner: ownerOf(plugin), handler };
          tapped.push(tap);
          inner.add(
            { name: plugin, stage: STAGES[stage] },
            this.#guard({ ...tap, kind, hook: name, takesContext, expected, report }),
          );
        },
      }),
    };
  }

  /** The handler of a tap, with its duration measured. */
  #watched({ kind, plugin, owner, hook, handler, takesContext }: GuardedTap): Guarded {
    const { watch } = this.#setting;
    const isNotified = kind === "notify";
    const what = `${plugin} in ${hook}`;
    const tap = { plugin, hook };
    return (value, context) => {
      const since =
        isNotified && typeof context === "number"
          ? activities.endOfLast(context)
          : performance.now();
      try {
        const runtime = owner?.runtime;
        const result = settleable(
          takesContext ? handler(value, context, runtime) : handler(value, runtime),
        );
        if (result instanceof Promise) {
          activities.follow(what, since, result);
          watch?.watch(tap, result);
        } else activities.note(what, since);
        return result;
      } catch (error) {
        activities.note(what, since);
        throw error;
      }
    };
  }

  /** Waits for a tap that only observes; throws on timeout. */
  async #awaitWatcher(result: Promise<unknown>): Promise<void> {
    const { watch } = this.#setting;
    if (watch === undefined) {
      await result;
      return;
    }
    if (!(await watch.awaitWatcher(result)))
      throw new Error("it did not finish in time, and the node continued without it");
  }

  /**
   * Wraps a tap once: skips it while its plugin is disabled, and handles its errors as the kind
   * requires. A tap that returns at once costs no promise.
   */
  #guard(tap: GuardedTap): Guarded {
    const { kind, hook, plugin, owner, expected } = tap;
    const handler = this.#watched(tap);
    const report = (thrown: unknown) => tap.report(plugin, readableError(thrown));
    const refuse = (thrown: unknown): never => {
      const error = readableError(thrown);
      if (error instanceof PlinthError) throw error;
      throw new PluginError("TAP_FAILED", {
        message: `${plugin} failed in ${hook}: ${messageOf(error)}`,
        plugin,
        hook,
        cause: error,
      });
    };
    switch (kind) {
      case "notify":
        return (value, since) => {
          if (owner?.active !== true) return;
          try {
            // The type is void, but an async function is assignable to it: its rejection is a
            // failure too.
            const result = handler(value, since);
            if (result instanceof Promise) result.catch(report);
          } catch (error) {
            report(error);
          }
        };
      case "observe":
        return (value) => {
          if (owner?.active !== true) return undefined;
          try {
            const result = handler(value);
            return result instanceof Promise ? this.#awaitWatcher(result).catch(report) : undefined;
          } catch (error) {
            return report(error);
          }
        };
      case "check":
      case "decide":
      case "refine": {
        const verify =
          kind === "check" ? verifyNoVerdict : (result: unknown) => verifyResult(result, expected);
        return (value, context) => {
          if (owner?.active !== true) return undefined;
          try {
            const result = handler(value, context);
            return result instanceof Promise ? result.then(verify).catch(refuse) : verify(result);
          } catch (error) {
            return refuse(error);
          }
        };
      }
      case "rewrite":
        return (value, context) => {
          if (owner?.active !== true) return undefined;
          try {
            const result = handler(value, context);
            if (result instanceof Promise) {
              result.catch(() => {});
              throw new TypeError("a tap of this hook must return its value, not a promise");
            }
            return verifyResult(result, expected);
          } catch (error) {
            return refuse(error);
          }
        };
    }
  }
}

/** Wraps foreign promises into native ones, so that they are observed. */
function settleable(result: unknown): unknown {
  if (typeof result !== "object" || result === null || result instanceof Promise) return result;
  return "then" in result && typeof result.then === "function" ? Promise.resolve(result) : result;
}

/** A tap that passes its result on, synchronously if it can. */
function settling(tap: Guarded) {
  return (value: unknown, done: Done): void => settle(() => tap(value), done);
}

/** The same for hooks with a context. */
function settlingWithContext(tap: Guarded) {
  return (value: unknown, context: unknown, done: Done): void =>
    settle(() => tap(value, context), done);
}

function settle(run: () => unknown, done: Done): void {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    done(error);
    return;
  }
  if (result instanceof Promise) result.then((late) => done(null, late), done);
  else done(null, result);
}

/** The result of work: synchronous, or asynchronous if it is not done yet. */
function awaitLate(work: (done: Done) => void): unknown {
  let settled: { readonly error: unknown; readonly result?: unknown } | undefined;
  let later: Done | undefined;
  work((error, result) => {
    settled = { error, result };
    later?.(error, result);
  });
  if (settled === undefined) {
    return new Promise((resolve, reject) => {
      later = (error, result) => (error == null ? resolve(result) : reject(error));
    });
  }
  if (settled.error != null) throw settled.error;
  return settled.result;
}

function verifyResult(result: unknown, expected: Expected | undefined): unknown {
  if (result === undefined || expected?.isRight(result) !== false) return result;
  throw new TypeError(`it returned ${describe(result)}, expected ${expected.text} or undefined`);
}

/** A tap that returns its verdict where the hook requires a throw has rejected nothing. */
function verifyNoVerdict(result: unknown): undefined {
  const isVerdict =
    result === false || typeof result === "string" || typeof Object(result).message === "string";
  if (!isVerdict) return undefined;
  throw new TypeError(`it returned ${describe(result)}; a tap of this hook rejects by throwing`);
}

function describe(result: unknown): string {
  if (typeof result === "string") return JSON.stringify(result.slice(0, 40));
  return typeof result === "object" && result !== null ? "an object" : String(result);
}

/** The hooks of a node as one plugin sees them. */
export function facadesFor<G extends object, R>(groups: G, plugin: string): HookFacades<G, R> {
  const entries = Object.entries(groups as unknown as HookGroups).map(([area, hooks]) => [
    area,
    Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, hook.facade(plugin)])),
  ]);
  return Object.fromEntries(entries) as HookFacades<G, R>;
}
