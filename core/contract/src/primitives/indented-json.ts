/**
 * Indents JSON text chunk by chunk, in the style of Besu's files: two spaces, ` : ` after a key,
 * lists on one line.
 *
 * The text must be JSON; keys, their order and the form of numbers are unchanged.
 */
export class IndentedJson {
  /** The open brackets, each with whether it is non-empty. */
  readonly #open: { readonly closing: "}" | "]"; isEmpty: boolean }[] = [];
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** The next chunk, indented. */
  push(piece: string): string {
    let out = "";
    for (const char of piece) out += this.#inText ? this.#inside(char) : this.#outside(char);
    return out;
  }

  #inside(char: string): string {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (char === "\\") this.#isEscaped = true;
    else if (char === '"') this.#inText = false;
    return char;
  }

  #outside(char: string): string {
    if (/\s/.test(char)) return "";
    if (char === ":") return " : ";
    if (char === ",") return this.#open.at(-1)?.closing === "]" ? ", " : `,${this.#newLine()}`;
    if (char === "}" || char === "]") return this.#close(char);
    const before = this.#begin();
    if (char === '"') this.#inText = true;
    if (char === "{") this.#depth += 1;
    if (char === "{") this.#open.push({ closing: "}", isEmpty: true });
    if (char === "[") this.#open.push({ closing: "]", isEmpty: true });
    return before + char;
  }

  /** The whitespace before the first item in brackets. */
  #begin(): string {
    const around = this.#open.at(-1);
    if (around === undefined || !around.isEmpty) return "";
    around.isEmpty = false;
    return around.closing === "]" ? " " : this.#newLine();
  }

  #close(char: "}" | "]"): string {
    const closed = this.#open.pop();
    if (char === "}") this.#depth -= 1;
    return char === "]" || closed?.isEmpty === true ? ` ${char}` : this.#newLine() + char;
  }

  #newLine(): string {
    return `\n${"  ".repeat(this.#depth)}`;
  }
}
