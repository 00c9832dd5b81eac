/** A member of an object, as source text. */
export interface JsonMember {
  readonly key: string;
  /** The text of its value. */
  readonly value: string;
}

/** The members of an object in JSON text, in order; the text must be valid JSON. */
export function readMembers(text: string): readonly JsonMember[] {
  const members: JsonMember[] = [];
  const begin = text.indexOf("{") + 1;
  let from = begin;
  let depth = 1;
  for (const { token, end } of tokensOf(text, begin)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    const isEnd = depth === 0 || (depth === 1 && token === ",");
    if (!isEnd) continue;
    const member = text.slice(from, end - 1);
    if (member.trim() !== "") members.push(splitMember(member));
    from = end;
    if (depth === 0) break;
  }
  return members;
}

/** An object of these members, without additional white space. */
export function formatMembers(members: readonly JsonMember[]): string {
  return `{${members.map(({ key, value }) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
}

/** Strings and brackets; the text between them does not matter here. */
function* tokensOf(text: string, from: number) {
  const pattern = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs;
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    yield { token: found[0], end: pattern.lastIndex };
  }
}

function splitMember(text: string): JsonMember {
  const [quoted = ""] = /"(?:[^"\\]|\\.)*"/s.exec(text) ?? [];
  const after = text.indexOf(quoted) + quoted.length;
  return { key: JSON.parse(quoted), value: text.slice(text.indexOf(":", after) + 1).trim() };
}
