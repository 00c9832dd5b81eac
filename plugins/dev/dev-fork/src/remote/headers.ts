/** The name of a header (RFC 9110), a colon, and a value of visible characters. */
const LINE = /^([!#$%&'*+.^_`|~0-9a-z-]+):[ \t]*([\t\x20-\x7e]+)$/i;

/** Why a text is not an HTTP header; `undefined` if it is one. */
export function problemOfHeader(line: string): string | undefined {
  return LINE.test(line)
    ? undefined
    : "expected NAME: VALUE without commas, such as 'Authorization: Bearer abc'";
}

/** HTTP headers by their names. */
export function parseHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] = LINE.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value.trim()] as const];
    }),
  );
}
