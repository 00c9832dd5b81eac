const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** The bit in which `[` differs from `{`, and `]` from `}`. */
const CURLY = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
const BRACKETS = ["[", "{"] as const;

/** The default of Jackson, Besu's parser; requests nest fewer than ten lists and objects. */
export const MAX_JSON_DEPTH = 1000;
/**
 * Each list or object after the first thousand requires this many characters on average; in a batch
 * it has thirty.
 */
const CHARACTERS_PER_CONTAINER = 16;
/** Of one object: storing many distinct names is slow, while many small objects share theirs. */
const MAX_MEMBERS = 65_536;

/** JSON whose parsing would block the event loop. */
export class JsonTooComplex extends SyntaxError {}

/**
 * Parses JSON of an untrusted sender; throws the errors of `JSON.parse`, or `JsonTooComplex`.
 *
 * Five megabytes of brackets take seconds to parse and to collect, nested or not; the depth, the
 * number of lists and objects, and the members per object are therefore checked first. That adds 1
 * to 6 % to most requests, and a third to a batch of a megabyte.
 */
export function parseJson(text: string): unknown {
  verifyNesting(text);
  return JSON.parse(text);
}

function verifyNesting(text: string): void {
  // Each level takes two characters.
  if (text.length <= 2 * MAX_JSON_DEPTH) return;
  if (hasFewContainers(text) && hasFewMembers(text)) return;
  let left = MAX_JSON_DEPTH + text.length / CHARACTERS_PER_CONTAINER;
  let depth = 0;
  /** Members of the open object at each depth. */
  const members = [0];
  for (let position = 0; position < text.length; position++) {
    const character = text.charCodeAt(position);
    if (character === QUOTE) {
      position = endOfString(text, position);
      if (position < 0) return;
    } else if ((character | CURLY) === OPENING) {
      depth += 1;
      members[depth] = 0;
      left -= 1;
      if (depth > MAX_JSON_DEPTH) {
        throw new JsonTooComplex(`JSON is nested more than ${MAX_JSON_DEPTH} levels deep`);
      }
      if (left < 0) throw new JsonTooComplex("JSON has too many lists and objects for its length");
    } else if ((character | CURLY) === CLOSING) depth -= 1;
    else if (character === COLON) {
      const count = (members[depth] ?? 0) + 1;
      members[depth] = count;
      if (count > MAX_MEMBERS) {
        throw new JsonTooComplex(`JSON has an object with more than ${MAX_MEMBERS} members`);
      }
    }
  }
}

/**
 * Counts brackets in strings as well: `indexOf` is many times faster than a loop over characters.
 */
function hasFewContainers(text: string): boolean {
  let count = 0;
  for (const bracket of BRACKETS) {
    let position = text.indexOf(bracket);
    while (position >= 0) {
      count += 1;
      if (count > MAX_JSON_DEPTH) return false;
      position = text.indexOf(bracket, position + 1);
    }
  }
  return true;
}

/** Counts colons, in strings as well. */
function hasFewMembers(text: string): boolean {
  if (text.length <= MAX_MEMBERS) return true;
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    count += 1;
    if (count > MAX_MEMBERS) return false;
  }
  return true;
}

/** The index of the closing quote; negative if there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, position: number): boolean {
  let first = position;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (position - first) % 2 === 1;
}
