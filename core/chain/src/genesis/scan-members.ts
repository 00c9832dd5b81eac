import type { FileHandle } from "node:fs/promises";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = 0x7b;
const CLOSING = 0x7d;
/** The bit in which `[` differs from `{`, and `]` from `}`. */
const CURLY = 0x20;
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const CHUNK_BYTES = 1024 * 1024;

/** A member of a JSON object in a file. */
export interface ScannedMember {
  readonly key: string;
  /** The position of its name in the file. */
  readonly start: number;
  /** The position of its value. */
  readonly offset: number;
  /** The size of its value. */
  readonly length: number;
  /** Its value as JSON; `undefined` if it was skipped. */
  readonly text: string | undefined;
}

/** An object in a file, and what to do with it. */
export interface MemberScan {
  /** Where the object begins; spaces may precede it. */
  readonly offset: number;
  /** Where the file or the object ends; only spaces may follow the object before it. */
  readonly end: number;
  /** Whether the value of a member that begins with this byte is skipped, not kept in memory. */
  readonly skips?: (key: string, first: number) => boolean;
  readonly found: (member: ScannedMember) => void;
  /** The bytes that were read, in order. */
  readonly read?: (bytes: Uint8Array) => void;
}

/**
 * Finds the members of a JSON object in a file, in order and with duplicates; holds no more than
 * one of them in memory.
 *
 * Values are not validated: the caller parses them. Throws a `SyntaxError` if there is no object.
 */
export async function scanMembers(file: FileHandle, scan: MemberScan): Promise<void> {
  const scanner = new MemberScanner(scan);
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let position = scan.offset; position < scan.end; ) {
    const length = Math.min(CHUNK_BYTES, scan.end - position);
    const { bytesRead } = await file.read(buffer, { length, position });
    if (bytesRead === 0) throw new SyntaxError(`unexpected end at byte ${position}`);
    const bytes = buffer.subarray(0, bytesRead);
    scan.read?.(bytes);
    scanner.push(bytes);
    position += bytesRead;
  }
  scanner.end();
}

type Expected = "object" | "first key" | "key" | "colon" | "value" | "comma" | "end";

const DESCRIBED: Readonly<Record<Expected, string>> = {
  object: "an object",
  "first key": 'a name in double quotes or "}"',
  key: "a name in double quotes",
  colon: '":"',
  value: "a value",
  comma: '"," or "}"',
  end: "the end of the file",
};

/** Reads the structure of one object; a token that continues in the next piece is read again. */
class MemberScanner {
  readonly #scan: MemberScan;
  /** The start of a token that is incomplete. */
  #rest: Uint8Array = new Uint8Array();
  /** The position of `#rest` in the file. */
  #position: number;
  #expected: Expected = "object";
  #key = "";
  #start = 0;
  #skipped: SkippedValue | undefined;

  constructor(scan: MemberScan) {
    this.#scan = scan;
    this.#position = scan.offset;
  }

  push(chunk: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const used = this.#readTokens(bytes);
    // A copy, because the caller reuses the buffer.
    this.#rest = Uint8Array.prototype.slice.call(bytes, used);
    this.#position += used;
  }

  end(): void {
    const isComplete = this.#expected === "end" && this.#rest.length === 0;
    if (!isComplete) throw new SyntaxError(`unexpected end at byte ${this.#scan.end}`);
  }

  /** Returns the number of bytes that are done with. */
  #readTokens(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length) {
      const first = bytes[at] as number;
      if (this.#skipped === undefined && SPACES.has(first)) at++;
      else {
        const end = this.#readToken(bytes, at, first);
        if (end < 0) break;
        at = end;
      }
    }
    return at;
  }

  /** Returns the end of the token, negative if it is incomplete. */
  #readToken(bytes: Uint8Array, at: number, first: number): number {
    switch (this.#expected) {
      case "object":
        return this.#readSign(at, first === OPENING, "first key");
      case "first key":
        if (first === CLOSING) return this.#readSign(at, true, "end");
        return this.#readKey(bytes, at, first);
      case "key":
        return this.#readKey(bytes, at, first);
      case "colon":
        return this.#readSign(at, first === COLON, "value");
      case "value":
        return this.#readValue(bytes, at, first);
      case "comma":
        if (first === CLOSING) return this.#readSign(at, true, "end");
        return this.#readSign(at, first === COMMA, "key");
      case "end":
        throw this.#unexpected(at);
    }
  }

  #readSign(at: number, isRight: boolean, next: Expected): number {
    if (!isRight) throw this.#unexpected(at);
    this.#expected = next;
    return at + 1;
  }

  #readKey(bytes: Uint8Array, at: number, first: number): number {
    if (first !== QUOTE) throw this.#unexpected(at);
    const end = endOfString(bytes, at + 1);
    if (end < 0) return end;
    this.#key = JSON.parse(textOf(bytes, at, end));
    this.#start = this.#position + at;
    this.#expected = "colon";
    return end;
  }

  #readValue(bytes: Uint8Array, at: number, first: number): number {
    if (this.#skipped === undefined && this.#scan.skips?.(this.#key, first) === true) {
      this.#skipped = new SkippedValue(this.#position + at);
    }
    if (this.#skipped !== undefined) return this.#skipValue(this.#skipped, bytes, at);
    const end = endOfValue(bytes, at);
    if (end === at) throw this.#unexpected(at);
    if (end < 0) return end;
    this.#found(this.#position + at, end - at, textOf(bytes, at, end));
    return end;
  }

  #skipValue(skipped: SkippedValue, bytes: Uint8Array, at: number): number {
    const end = skipped.read(bytes, at);
    if (!skipped.isComplete) return end;
    this.#skipped = undefined;
    this.#found(skipped.offset, this.#position + end - skipped.offset, undefined);
    return end;
  }

  #found(offset: number, length: number, text: string | undefined): void {
    this.#expected = "comma";
    this.#scan.found({ key: this.#key, start: this.#start, offset, length, text });
  }

  #unexpected(at: number): SyntaxError {
    return new SyntaxError(`expected ${DESCRIBED[this.#expected]} at byte ${this.#position + at}`);
  }
}

/** An object or a list that is read over, in pieces. */
class SkippedValue {
  readonly offset: number;
  isComplete = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(offset: number) {
    this.offset = offset;
  }

  /** Returns the end of the value, or of the bytes. */
  read(bytes: Uint8Array, start: number): number {
    let at = start;
    if (this.#isInString) at = this.#readString(bytes, at);
    while (at < bytes.length) {
      const byte = bytes[at++] as number;
      if (byte === QUOTE) at = this.#readString(bytes, at);
      else if ((byte | CURLY) === OPENING) this.#depth++;
      else if ((byte | CURLY) === CLOSING && --this.#depth === 0) {
        this.isComplete = true;
        return at;
      }
    }
    return at;
  }

  #readString(bytes: Uint8Array, start: number): number {
    let at = start;
    this.#isInString = true;
    if (this.#isEscaped && at < bytes.length) {
      this.#isEscaped = false;
      at++;
    }
    while (at < bytes.length) {
      const byte = bytes[at++] as number;
      if (byte === QUOTE) {
        this.#isInString = false;
        return at;
      }
      if (byte === BACKSLASH) {
        this.#isEscaped = at === bytes.length;
        at++;
      }
    }
    return Math.min(at, bytes.length);
  }
}

/** The end of a string, after its closing quote; negative if it is incomplete. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

/** The end of any value; negative if it is incomplete, and the start if there is none. */
function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start] as number;
  if (first === QUOTE) return endOfString(bytes, start + 1);
  if ((first | CURLY) === OPENING) {
    const value = new SkippedValue(start);
    const end = value.read(bytes, start);
    return value.isComplete ? end : -1;
  }
  // A number or a word: what follows it shows that it is complete.
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === COMMA || (byte | CURLY) === CLOSING || SPACES.has(byte)) return at;
  }
  return -1;
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
}
