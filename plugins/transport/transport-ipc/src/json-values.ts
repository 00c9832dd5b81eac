const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];
const WHITE = [0x20, 0x09, 0x0a, 0x0d];

/** A value exceeded the limit before it ended. */
export class ValueTooLong extends Error {}

/**
 * Splits a stream of text into JSON objects and arrays, regardless of chunk boundaries.
 *
 * Text between them is passed on unchanged, once for each read, so that it gets an error response.
 */
export class JsonValues {
  readonly #maxLength: number;
  #text = "";
  #position = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Adds a chunk; returns the values that it completes. */
  push(read: string): readonly string[] {
    const values: string[] = [];
    let start = 0;
    this.#text += read;
    for (; this.#position < this.#text.length; this.#position++) {
      const letter = this.#text.charCodeAt(this.#position);
      if (this.#depth > 0) {
        if (!this.#endsValue(letter)) continue;
        values.push(this.#text.slice(start, this.#position + 1));
        start = this.#position + 1;
      } else if (OPENING.includes(letter)) {
        pushStray(values, this.#text.slice(start, this.#position));
        start = this.#position;
        this.#depth = 1;
      }
    }
    if (this.#depth === 0) {
      pushStray(values, this.#text.slice(start));
      start = this.#text.length;
    }
    this.#text = this.#text.slice(start);
    this.#position = this.#text.length;
    if (this.#text.length > this.#maxLength) throw new ValueTooLong();
    return values;
  }

  #endsValue(letter: number): boolean {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (letter === BACKSLASH) this.#isEscaped = true;
      else if (letter === QUOTE) this.#isInText = false;
      return false;
    }
    if (letter === QUOTE) this.#isInText = true;
    else if (OPENING.includes(letter)) this.#depth += 1;
    else if (CLOSING.includes(letter)) this.#depth -= 1;
    return this.#depth === 0;
  }
}

function pushStray(values: string[], text: string): void {
  const isBlank = [...text].every((letter) => WHITE.includes(letter.charCodeAt(0)));
  if (!isBlank) values.push(text);
}
