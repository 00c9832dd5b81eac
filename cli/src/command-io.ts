import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { CommandIo } from "@plinth/core";

/** Files, standard input and standard output. */
export const processIo: CommandIo = {
  read: (path) => (path === undefined ? text(process.stdin) : readFile(path, "utf8")),
  async write(content, path) {
    if (path !== undefined) return writeFile(path, content);
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(`${content}\n`, (error) => (error ? reject(error) : resolve()));
    });
  },
};
