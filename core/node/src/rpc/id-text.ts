/**
 * The `id` members of a request or batch as written in its text.
 *
 * Numbers above 2^53 lose digits in JavaScript, and a caller must get its id back unchanged. The
 * text is known to be valid JSON. Entries of a batch that are neither object nor list are omitted;
 * those without `id` yield `undefined`. Of two `id` members the last counts, as in JSON.parse.
 */
export function findIdTexts(json: string): readonly (string | undefined)[] {
  const ids: (string | undefined)[] = [];
  const isBatch = /^\s*\[/.test(json);
  const memberDepth = isBatch ? 2 : 1;
  let depth = 0;
  let id: string | undefined;
  let position = 0;
  while (position < json.length) {
    const character = json[position];
    if (character === '"') {
      const end = endOfString(json, position);
      if (depth === memberDepth && isKey(json, position, end, "id")) {
        const start = endOfBlank(json, json.indexOf(":", end) + 1);
        id = json.slice(start, endOfScalar(json, start));
      }
      position = end;
      continue;
    }
    if (character === "{" || character === "[") {
      depth += 1;
      if (depth === memberDepth) id = undefined;
    } else if (character === "}" || character === "]") {
      if (depth === memberDepth) ids.push(id);
      depth -= 1;
    }
    position += 1;
  }
  return ids;
}

function isKey(json: string, start: number, end: number, name: string): boolean {
  if (json[endOfBlank(json, end)] !== ":") return false;
  const key = json.slice(start, end);
  // Letters of a key may be escaped: "\u0069d" is "id", too.
  return key.includes("\\") ? JSON.parse(key) === name : key === `"${name}"`;
}

function endOfString(json: string, start: number): number {
  let position = start + 1;
  while (json[position] !== '"') position += json[position] === "\\" ? 2 : 1;
  return position + 1;
}

function endOfBlank(json: string, start: number): number {
  let position = start;
  while (/\s/.test(json[position] ?? "x")) position += 1;
  return position;
}

function endOfScalar(json: string, start: number): number {
  if (json[start] === '"') return endOfString(json, start);
  let position = start;
  while (/[-+.\w]/.test(json[position] ?? " ")) position += 1;
  return position;
}
