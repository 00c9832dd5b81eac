import { type Child, h } from "../dom.js";
import { formatEther, formatNumber, toBig, toNumber } from "../format.js";
import { shorten } from "../text.js";
import { addressLink, hexText } from "./links.js";
import { columns, table } from "./table.js";

type Change =
  | "="
  | { readonly [sign: string]: string | { readonly from: string; readonly to: string } };

/** State changes as `trace_replayTransaction` returns them. */
export type StateDiff = Readonly<
  Record<
    string,
    {
      readonly balance: Change;
      readonly nonce: Change;
      readonly code: Change;
      readonly storage: Readonly<Record<string, Change>>;
    }
  >
>;

/** What a transaction changed, account by account. */
export function stateChanges(diff: StateDiff): HTMLElement {
  const rows = Object.entries(diff).flatMap(([address, { balance, nonce, code, storage }]) => [
    ...row(address, "balance", balance, (value) => formatEther(value)),
    ...row(address, "nonce", nonce, (value) => formatNumber(toNumber(value))),
    ...row(address, "code", code, (value) => hexText(value)),
    ...Object.entries(storage).flatMap(([slot, change]) =>
      row(
        address,
        h("span", { "data-full": slot, title: slot }, `slot ${shortWord(slot)}`),
        change,
        wordText,
      ),
    ),
  ]);
  return table({
    name: "State changes",
    columns: columns("Account", "What", "Before", "After"),
    rows,
    empty: "The transaction changed nothing.",
  });
}

function row(
  address: string,
  what: Child,
  change: Change,
  show: (value: string) => Child,
): readonly (readonly Child[])[] {
  if (change === "=") return [];
  const [sign, value] = Object.entries(change)[0] ?? [];
  if (value === undefined) return [];
  const [before, after] =
    typeof value === "object"
      ? [value.from, value.to]
      : sign === "+"
        ? [undefined, value]
        : [value, undefined];
  return [
    [
      addressLink(address),
      what,
      before === undefined ? "–" : show(before),
      after === undefined ? "–" : show(after),
    ],
  ];
}

/** A word as a number if it is small, which most are. */
function wordText(word: string): Child {
  const value = toBig(word);
  return h(
    "span",
    { "data-full": word, title: word },
    value < 1n << 64n ? formatNumber(value) : shorten(word, 18, 8),
  );
}

function shortWord(word: string): string {
  const value = toBig(word);
  return value < 1n << 32n ? String(value) : shorten(word, 10, 6);
}
