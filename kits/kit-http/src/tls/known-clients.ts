import { ConfigError } from "@plinth/core";

const LINE = /^(.*\S)\s+((?:[0-9a-f]{2}:){31}[0-9a-f]{2}|[0-9a-f]{64})$/i;

/** The known client certificates, by common name and fingerprint. */
export class KnownClients {
  readonly #entries: ReadonlySet<string>;

  /**
   * Parses lines of `<common name> <SHA-256 fingerprint>`; throws if a line is neither that nor a
   * comment.
   */
  constructor(path: string, text: string) {
    const lines = text.split(/\r?\n/).map((line, index) => ({ line: line.trim(), at: index + 1 }));
    const used = lines.filter(({ line }) => line !== "" && !line.startsWith("#"));
    this.#entries = new Set(
      used.map(({ line, at }) => {
        const [, name, fingerprint] = LINE.exec(line) ?? [];
        if (name !== undefined && fingerprint !== undefined) return entryOf(name, fingerprint);
        throw new ConfigError("TLS_INVALID", {
          message: `${path}, line ${at}: expected a common name and a SHA-256 fingerprint of 32 bytes in hex`,
        });
      }),
    );
  }

  has(commonName: string, fingerprint: string): boolean {
    return this.#entries.has(entryOf(commonName, fingerprint));
  }
}

function entryOf(name: string, fingerprint: string): string {
  return `${name} ${fingerprint.replaceAll(":", "").toLowerCase()}`;
}
