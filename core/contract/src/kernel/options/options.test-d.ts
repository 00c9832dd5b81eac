// Compiled, never run: the types of a plugin's configuration.
import type { Address } from "../../primitives/hex.js";
import { optionKinds } from "./option-kinds.js";
import { type OptionValues, option } from "./options.js";

const summary = "What it is for.";

const options = {
  flag: option.flag({ summary }),
  boolean: option.boolean({ summary }),
  booleanOn: option.boolean({ summary, default: true }),
  integer: option.integer({ summary, min: 1 }),
  integerOne: option.integer({ summary, default: 1, min: 1 }),
  decimal: option.decimal({ summary }),
  wei: option.wei({ summary }),
  weiZero: option.wei({ summary, default: 0n }),
  percent: option.percent({ summary, default: 50 }),
  fraction: option.fraction({ summary }),
  text: option.text({ summary }),
  textHi: option.text({ summary, default: "hi" }),
  path: option.path({ summary }),
  pathData: option.path({ summary, default: "data" }),
  host: option.host({ summary }),
  port: option.port({ summary, default: 8545 }),
  address: option.address({ summary }),
  hex: option.hex({ summary }),
  mode: option.oneOf(["full", "fast"], { summary }),
  modeFull: option.oneOf(["full", "fast"], { summary, default: "full" }),
  list: option.list({ summary, of: optionKinds.port() }),
  map: option.map({ summary, of: optionKinds.wei() }),
};

type Values = OptionValues<typeof options>;

// Without a default the value may be missing, with one it is always present.
holds<Same<Values["boolean"], boolean | undefined>>();
holds<Same<Values["booleanOn"], boolean>>();
holds<Same<Values["integer"], number | undefined>>();
holds<Same<Values["integerOne"], number>>();
holds<Same<Values["decimal"], number | undefined>>();
holds<Same<Values["wei"], bigint | undefined>>();
holds<Same<Values["weiZero"], bigint>>();
holds<Same<Values["percent"], number>>();
holds<Same<Values["fraction"], number | undefined>>();
holds<Same<Values["text"], string | undefined>>();
holds<Same<Values["textHi"], string>>();
holds<Same<Values["path"], string | undefined>>();
holds<Same<Values["pathData"], string>>();
holds<Same<Values["host"], string | undefined>>();
holds<Same<Values["port"], number>>();
holds<Same<Values["address"], Address | undefined>>();
holds<Same<Values["hex"], Uint8Array | undefined>>();
holds<Same<Values["mode"], "full" | "fast" | undefined>>();
holds<Same<Values["modeFull"], "full" | "fast">>();

// Flags, lists and maps are never missing.
holds<Same<Values["flag"], boolean>>();
holds<Same<Values["list"], readonly number[]>>();
holds<Same<Values["map"], ReadonlyMap<string, bigint>>>();

declare const values: Values;
// @ts-expect-error values are read only
values.port = 1;
// @ts-expect-error a default is a value of the kind
option.port({ summary, default: "8545" });
// @ts-expect-error a default is one of the words
option.oneOf(["full", "fast"], { summary, default: "slow" });
// @ts-expect-error every option says what it is for
option.port({ default: 8545 });

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<T extends true>(): T | undefined {
  return undefined;
}
