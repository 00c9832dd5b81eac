import { readFile, realpath, stat, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type CommandIo, replaceFile, type StatusLine } from "@plinth/core";

const CLEAR_LINE = "\r\u001b[2K";
const USUAL_COLUMNS = 80;

/** On standard error, so that what is written to standard output stays whole. */
const status: StatusLine = {
  get columns() {
    return process.stderr.columns ?? USUAL_COLUMNS;
  },
  show: (text) => void process.stderr.write(`${CLEAR_LINE}${text}`),
  clear: () => void process.stderr.write(CLEAR_LINE),
};

/** Files, standard input and standard output. */
export const processIo: CommandIo = {
  ...(process.stderr.isTTY ? { status } : {}),
  read: (path) => (path === undefined ? text(process.stdin) : readFile(path, "utf8")),
  async write(content, path) {
    if (path !== undefined) return writeWhole(path, content);
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(`${content}\n`, (error) => (error ? reject(error) : resolve()));
    });
  },
};

/** Writes a file whole or not at all; devices and pipes, which cannot be replaced, are written to. */
async function writeWhole(path: string, content: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile()) return writeFile(path, content);
  const target = found === undefined ? path : await realpath(path);
  await replaceFile(target, content, { isSynced: false });
}
