/** A string in an array of a TOML file, and its position. */
export interface TomlItem {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An array of strings in a TOML file. */
export interface TomlArray {
  readonly items: readonly TomlItem[];
  /** End of the opening bracket. */
  readonly start: number;
  /** Start of the closing bracket. */
  readonly end: number;
}

/** A byte order mark counts as one. */
const BLANK = /[ \t\r\n\ufeff]*/y;
const COMMENT = /#[^\n]*/y;
const KEY = /"([^"\n]*)"|'([^'\n]*)'|([A-Za-z0-9_-]+)/y;
const STRING = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?\r?\n/y;
/** Characters that neither start nor end a token. */
const PLAIN = /[^"'#[\]{}\n]+/y;
/** A string as in such lists: on one line, without escapes. */
const ITEM = /"[^"\\\n]*"|'[^'\n]*'/y;

/**
 * Finds the arrays under some top-level keys of a TOML file, so that they can be read fast, and changed without touching
 * the rest.
 *
 * Arrays with anything but plain strings are skipped. The surrounding text is assumed to be valid.
 */
export function findArrays(toml: string, keys: readonly string[]): ReadonlyMap<string, TomlArray> {
  const arrays = new Map<string, TomlArray>();
  for (let at = skipBlanks(toml, 0); at < toml.length; at = skipBlanks(toml, at)) {
    const [key, end] = readKey(toml, at);
    // A table starts: its keys are not top-level.
    if (key === undefined) break;
    const value = skipBlanks(toml, end + 1);
    const isWanted = keys.includes(key) && toml[value] === "[";
    const array = isWanted ? readArray(toml, value + 1) : undefined;
    if (array !== undefined) arrays.set(key, array);
    at = array === undefined ? skipValue(toml, value) : array.end + 1;
  }
  return arrays;
}

/** The file with some strings removed from the array, and others appended. */
export function changeArray(
  toml: string,
  { items, start }: TomlArray,
  {
    removed,
    added,
  }: { readonly removed: ReadonlySet<TomlItem>; readonly added: readonly string[] },
): string {
  const kept = items.filter((item) => !removed.has(item));
  const last = kept.at(-1);
  const texts = added.map((text) => JSON.stringify(text)).join(",");
  const parts: string[] = [];
  let from = 0;
  const append = (at: number) => {
    if (texts === "") return;
    parts.push(toml.slice(from, at), last === undefined ? texts : `,${texts}`);
    from = at;
  };
  if (last === undefined) append(start);
  for (const [index, item] of items.entries()) {
    if (item === last) append(item.end);
    if (!removed.has(item)) continue;
    const [begin, end] = cutOf(toml, item, items[index - 1]);
    parts.push(toml.slice(from, Math.max(from, begin)));
    from = Math.max(from, end);
  }
  parts.push(toml.slice(from));
  return parts.join("");
}

/** The text that belongs to an item: a comma, and its line if nothing else is on it. */
function cutOf(
  toml: string,
  item: TomlItem,
  previous: TomlItem | undefined,
): readonly [number, number] {
  const comma = skipBlanks(toml, item.end);
  const hasComma = toml[comma] === ",";
  let [start, end] = [item.start, hasComma ? comma + 1 : item.end];
  // For the last item the preceding comma; a remaining one is valid TOML.
  const between = previous === undefined ? "" : toml.slice(previous.end, item.start);
  if (!hasComma && /^\s*,\s*$/.test(between)) start -= between.length;
  // Not by searching for the start of the line: Besu writes a list as one long line.
  let lineStart = start;
  while (toml[lineStart - 1] === " " || toml[lineStart - 1] === "\t") lineStart--;
  const isFirst = lineStart === 0 || toml[lineStart - 1] === "\n";
  const lineEnd = isFirst ? matchAt(LINE_END, toml, end) : undefined;
  if (lineEnd !== undefined) [start, end] = [lineStart, lineEnd];
  return [start, end];
}

/** `undefined` if there is anything but plain strings. */
function readArray(toml: string, start: number): TomlArray | undefined {
  const items: TomlItem[] = [];
  let at = skipBlanks(toml, start);
  while (toml[at] !== "]") {
    const end = matchAt(ITEM, toml, at);
    if (end === undefined) return undefined;
    items.push({ text: toml.slice(at + 1, end - 1), start: at, end });
    at = skipBlanks(toml, end);
    if (toml[at] === ",") at = skipBlanks(toml, at + 1);
    else if (toml[at] !== "]") return undefined;
  }
  return { items, start, end: at };
}

/** The file with these arrays emptied, in file order: the rest is small. */
export function withoutArrays(toml: string, arrays: Iterable<TomlArray>): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of arrays) {
    parts.push(toml.slice(from, start));
    from = end;
  }
  return parts.join("") + toml.slice(from);
}

/** The key of a line; a dotted key with its dots, which no list has. */
function readKey(toml: string, at: number): readonly [string | undefined, number] {
  const end = matchAt(KEY, toml, at);
  if (end === undefined) return [undefined, at];
  const equals = toml.indexOf("=", end);
  // Not TOML, as the parser will report.
  if (equals === -1) return [undefined, at];
  const isWhole = toml.slice(end, equals).trim() === "";
  const text = toml.slice(at, isWhole ? end : equals);
  return [text.replace(/^["']|["']$/g, ""), equals];
}

/** The end of a value: of a string, of a bracketed expression, or of a line. */
function skipValue(toml: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < toml.length) {
    const end = matchAt(PLAIN, toml, at) ?? matchAt(STRING, toml, at) ?? matchAt(COMMENT, toml, at);
    const character = toml[at];
    if (end !== undefined) at = end;
    else {
      if (character === "[" || character === "{") depth++;
      if (character === "]" || character === "}") depth--;
      if (character === "\n" && depth === 0) return at;
      at++;
    }
  }
  return at;
}

function skipBlanks(toml: string, start: number): number {
  let at = matchAt(BLANK, toml, start) ?? start;
  for (let end = matchAt(COMMENT, toml, at); end !== undefined; end = matchAt(COMMENT, toml, at)) {
    at = matchAt(BLANK, toml, end) ?? end;
  }
  return at;
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
