import { readFile } from "node:fs/promises";
import { ConfigError, messageOf } from "@plinth/core";

const MAX_CHARACTERS = 8192;

/** The file with the token that sources require; it is read again after one of them has rejected the token. */
export class TokenFile {
  readonly #path: string;
  #token: Promise<string> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Rejects with `ConfigError` if there is no token. */
  read(): Promise<string> {
    this.#token ??= readToken(this.#path).catch((error: unknown) => {
      this.#token = undefined;
      throw error;
    });
    return this.#token;
  }

  /** Reads the file again when the token is needed. */
  forget(): void {
    this.#token = undefined;
  }
}

async function readToken(path: string): Promise<string> {
  const invalid = (problem: string, cause?: unknown) =>
    new ConfigError("OPTION_INVALID", {
      message: `Invalid value for option '--follow-token-file': ${path} ${problem}`,
      option: "follow-token-file",
      cause,
    });
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw invalid(`cannot be read: ${messageOf(error)}`, error);
  }
  const token = text.trim();
  // A header with other characters could not be sent.
  if (/^[\x21-\x7e]+$/.test(token) && token.length <= MAX_CHARACTERS) return token;
  throw invalid("has no token; expected one line without spaces");
}
