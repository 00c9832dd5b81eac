import type { PluginTable } from "@plinth/core";

/** Maximum length of a note, in bytes. */
export const MAX_NOTE_BYTES = 256;
/** Maximum number of stored notes; later ones are ignored. */
export const MAX_NOTES = 1_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The notes of a node, in order of arrival; each is on disk before others see it. */
export class Notes {
  readonly #table: PluginTable;
  readonly #texts = new Set<string>();
  readonly #added: ((text: string) => void)[] = [];

  constructor(table: PluginTable) {
    this.#table = table;
  }

  /** Loads the stored notes; called once, when the node starts. */
  async load(): Promise<void> {
    for await (const [, value] of this.#table.iterate()) this.#texts.add(decoder.decode(value));
  }

  /** Every note. */
  list(): readonly string[] {
    return [...this.#texts];
  }

  /** Calls back for every new note; the returned function unsubscribes. */
  onAdded(callback: (text: string) => void): () => void {
    this.#added.push(callback);
    return () => void this.#added.splice(this.#added.indexOf(callback), 1);
  }

  /** Stores a note; false if it is known, or there are too many. */
  async add(text: string): Promise<boolean> {
    if (this.#texts.has(text) || this.#texts.size >= MAX_NOTES) return false;
    this.#texts.add(text);
    const key = new Uint8Array(4);
    new DataView(key.buffer).setUint32(0, this.#texts.size);
    await this.#table.write([[key, encoder.encode(text)]]);
    for (const callback of [...this.#added]) callback(text);
    return true;
  }
}
