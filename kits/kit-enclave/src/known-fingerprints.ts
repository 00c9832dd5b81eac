import { appendFile, readFile } from "node:fs/promises";
import { EnclaveError } from "./errors.js";

const LINE = /^(\S+)\s+((?:[0-9a-f]{2}:){31}[0-9a-f]{2}|[0-9a-f]{64})$/i;

/**
 * The known certificates of managers, in a file with a line of name and SHA-256 fingerprint for
 * each.
 */
export class KnownFingerprints {
  readonly #path: string;
  readonly #known = new Map<string, Set<string>>();
  #text = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads the file, unless it is unchanged; a missing file is empty. */
  async load(): Promise<void> {
    const text = await readFile(this.#path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    if (text === this.#text) return;
    const entries = parse(this.#path, text);
    this.#text = text;
    this.#known.clear();
    for (const [name, fingerprint] of entries) this.#add(name, fingerprint);
  }

  /** Whether a certificate was seen for this name, or none was. */
  find(name: string, fingerprint: string): "known" | "other" | "none" {
    const known = this.#known.get(name);
    if (known === undefined) return "none";
    return known.has(normalise(fingerprint)) ? "known" : "other";
  }

  /** Remembers a certificate; it takes effect before it is on disk. */
  async remember(name: string, fingerprint: string): Promise<void> {
    this.#add(name, fingerprint);
    const line = `${name} ${fingerprint}\n`;
    this.#text += line;
    await appendFile(this.#path, line, { mode: 0o600 });
  }

  #add(name: string, fingerprint: string): void {
    const known = this.#known.get(name) ?? new Set();
    known.add(normalise(fingerprint));
    this.#known.set(name, known);
  }
}

function parse(path: string, text: string): readonly (readonly [string, string])[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const [, name, fingerprint] = LINE.exec(trimmed) ?? [];
    if (name !== undefined && fingerprint !== undefined) return [[name, fingerprint] as const];
    throw new EnclaveError(
      500,
      `${path}, line ${index + 1}: expected a name and a SHA-256 fingerprint of 32 bytes in hex`,
    );
  });
}

function normalise(fingerprint: string): string {
  return fingerprint.replaceAll(":", "").toLowerCase();
}
