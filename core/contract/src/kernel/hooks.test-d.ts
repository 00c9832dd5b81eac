// Compiled, never run: what plugins and owners can do with a hook.
import type { HookFacades, HookFactory } from "./hooks.js";

interface Event {
  readonly number: number;
}

declare const factory: HookFactory;
const docs = { since: "0.1.0", summary: "Something happens." };

function createHooks() {
  return {
    area: {
      notify: factory.notify<Event>("area.notify", docs),
      observe: factory.observe<Event>("area.observe", docs),
      check: factory.check<Event>("area.check", docs),
      early: factory.earlyCheck<Event>("area.early", docs),
      decide: factory.decide<Event, string>("area.decide", docs),
      refine: factory.refine<bigint, Event>("area.refine", docs),
      rewrite: factory.rewrite<bigint, Event>("area.rewrite", docs),
    },
  };
}

type Groups = ReturnType<typeof createHooks>;
declare const groups: Groups;
declare const facades: HookFacades<Groups, { readonly name: string }>;

// The plugin's view has a name and a tap method, but no way to call the hook.
holds<Same<keyof (typeof facades.area)["observe"], "name" | "tap">>();
// @ts-expect-error a plugin cannot call
facades.area.observe.call({ number: 1 });
// @ts-expect-error not even where an answer would be interesting
facades.area.decide.call({ number: 1 });

// Taps get one event object, typed by the declaration of the hook.
facades.area.notify.tap(({ number }) => void number.toFixed());
facades.area.observe.tap(async ({ number }) => void number.toFixed());
// @ts-expect-error the event has no such field
facades.area.check.tap(({ numbr }) => void numbr);
// After the event comes the plugin's runtime, except for hooks before the node is open.
facades.area.check.tap((_, { name }) => void name.length);
facades.area.refine.tap((value, _, { name }) => value + BigInt(name.length));
// @ts-expect-error there is no runtime yet
facades.area.early.tap((event, runtime) => void [event, runtime]);
// @ts-expect-error nor where something is declared
facades.area.rewrite.tap((value, _, { name }) => value + BigInt(name.length));

// Stages have names.
facades.area.check.tap(() => {}, { stage: "early" });
// @ts-expect-error there are no numbers
facades.area.check.tap(() => {}, { stage: 10 });

// The kind decides what a tap may return.
facades.area.decide.tap(() => undefined);
facades.area.decide.tap(async () => "no");
// @ts-expect-error an answer is of the declared type
facades.area.decide.tap(() => 5);
facades.area.refine.tap(async (value, { number }) => value + BigInt(number));
// @ts-expect-error a refined value is of the same type
facades.area.refine.tap(() => "5");
facades.area.rewrite.tap((value) => value * 2n);
// @ts-expect-error a tap of this hook must return its value, not a promise
facades.area.rewrite.tap(async (value) => value * 2n);

// The owner gets what the kind promises.
holds<Same<ReturnType<Groups["area"]["notify"]["call"]>, void>>();
holds<Same<ReturnType<Groups["area"]["check"]["call"]>, Promise<void>>>();
holds<
  Same<
    ReturnType<Groups["area"]["decide"]["call"]>,
    string | undefined | Promise<string | undefined>
  >
>();
holds<Same<ReturnType<Groups["area"]["refine"]["call"]>, Promise<bigint>>>();
holds<Same<ReturnType<Groups["area"]["rewrite"]["call"]>, bigint>>();
// @ts-expect-error an owner passes the whole event
groups.area.notify.call({});

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<T extends true>(): T | undefined {
  return undefined;
}
