import type { Dice } from "./mutate.js";

/** A call to send. */
export interface FuzzRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Replacement values. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  "",
  "0x",
  "0x0",
  "-0x1",
  "0x00000000000000000000000000000000000000b0",
  "latest",
  "earliest",
  "pending",
  "safe",
  `0x${"f".repeat(64)}`,
  `0x${"f".repeat(16)}`,
  `0x${"0".repeat(2000)}`,
  "ｌａｔｅｓｔ",
  "\ud800",
  "\u0000",
  "x".repeat(3000),
  [],
  [[]],
  [null],
  {},
  { blockHash: `0x${"ab".repeat(32)}`, requireCanonical: true },
  { blockNumber: "0x0" },
  { fromBlock: "0x0", toBlock: "latest", topics: [null, []] },
  { to: "0x0000000000000000000000000000000000000001", data: "0x6000", gas: "0xfffff" },
  { blockStateCalls: [{ calls: [{}] }], validation: true },
  { balance: "0x1", nonce: "0xffffffffffffffff", code: "0x00" },
];

/** A request that differs from a valid one, mostly in its parameters. */
export function mutateRequest(request: FuzzRequest, dice: Dice): FuzzRequest {
  const ways = [replace, drop, add, swap, inside, inside, inside, chars, chars];
  const way = ways[dice(ways.length)] ?? replace;
  const changed = { method: request.method, params: way(request.params, dice) };
  // Several changes at once find what one does not.
  return dice(3) === 0 ? mutateRequest(changed, dice) : changed;
}

/** The text of a request after a change that is no longer JSON, or hardly. */
export function mutateText(text: string, dice: Dice): string {
  const at = dice(text.length);
  const ways = [
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(at + 1 + dice(5)),
    () => text.slice(0, at) + String.fromCodePoint(dice(0xd7ff)) + text.slice(at),
    () => `[${text},${text.slice(0, at)}`,
    () => `${"[".repeat(1 + dice(500))}${text}`,
    () => `${text}${text}`,
  ];
  return (ways[dice(ways.length)] ?? (() => text))();
}

function odd(dice: Dice): unknown {
  return ODD[dice(ODD.length)];
}

function replace(params: readonly unknown[], dice: Dice): readonly unknown[] {
  const at = dice(params.length + 1);
  return [...params.slice(0, at), odd(dice), ...params.slice(at + 1)];
}

function drop(params: readonly unknown[], dice: Dice): readonly unknown[] {
  const at = dice(params.length + 1);
  return [...params.slice(0, at), ...params.slice(at + 1)];
}

function add(params: readonly unknown[], dice: Dice): readonly unknown[] {
  const at = dice(params.length + 1);
  return [...params.slice(0, at), odd(dice), ...params.slice(at)];
}

function swap(params: readonly unknown[]): readonly unknown[] {
  return [...params].reverse();
}

/** Changes something deep inside one parameter. */
function inside(params: readonly unknown[], dice: Dice): readonly unknown[] {
  if (params.length === 0) return replace(params, dice);
  const at = dice(params.length);
  return params.map((param, index) => (index === at ? changeInside(param, dice) : param));
}

function changeInside(value: unknown, dice: Dice): unknown {
  if (Array.isArray(value)) return inside(value, dice);
  if (typeof value !== "object" || value === null) return odd(dice);
  const entries = Object.entries(value);
  const at = dice(entries.length + 1);
  const [name = "extra", member] = entries[at] ?? [];
  if (dice(4) === 0) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return { ...value, [name]: changeInside(member, dice) };
}

/** Changes one character of a text. */
function chars(params: readonly unknown[], dice: Dice): readonly unknown[] {
  const at = dice(params.length + 1);
  return params.map((param, index) => {
    if (index !== at || typeof param !== "string" || param === "") return param;
    const place = dice(param.length);
    const digit = "0123456789abcdefxg-"[dice(19)] ?? "0";
    return param.slice(0, place) + digit + param.slice(place + 1);
  });
}
