import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Codec, ConfigError } from "@plinth/core";
import { decodeChecked, encodeChecked, replaceFile } from "@plinth/core/storage";

/** What a record file contains. */
interface RecordContent<T> {
  readonly form: Codec<T>;
  /** What is lost if the file is damaged, and what helps. */
  readonly loss: string;
}

/** A file in data folders with a checksum, which is replaced as a whole. */
export class RecordFile<T> {
  readonly #name: string;
  readonly #content: RecordContent<T>;

  constructor(name: string, content: RecordContent<T>) {
    this.#name = name;
    this.#content = content;
  }

  /** The record in a data folder; `undefined` if there is none. */
  async find(dataPath: string): Promise<T | undefined> {
    const path = join(dataPath, this.#name);
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (Object(error).code === "ENOENT") return undefined;
      throw error;
    }
    const { form, loss } = this.#content;
    const json = decodeChecked(text);
    if (json !== undefined) return form.decode(json, this.#name);
    throw new ConfigError("FORK_RECORD_DAMAGED", {
      message: `${path} is damaged: ${loss}`,
      path,
    });
  }

  async write(dataPath: string, record: T): Promise<void> {
    const json = this.#content.form.encode(record) as object;
    await replaceFile(join(dataPath, this.#name), encodeChecked(json), { isSynced: true });
  }

  /** Removes the record, if there is one. */
  async remove(dataPath: string): Promise<void> {
    await rm(join(dataPath, this.#name), { force: true });
  }
}
