import { readFile, realpath, stat, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { CommandIo } from "@plinth/core";
import { replaceFile } from "@plinth/core/storage";
import { hasColors } from "./has-colors.js";
import { createStatus } from "./status-lines.js";

/** Files, standard input and standard output. */
export const processIo: CommandIo = {
  hasColors: hasColors(process.stdout),
  ...(process.stderr.isTTY ? { status: createStatus(process.stderr) } : {}),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask, askSecret } : {}),
  read: (path) => (path === undefined ? text(process.stdin) : readFile(path, "utf8")),
  warn: (line) => void process.stderr.write(`${line}\n`),
  async write(content, path) {
    if (path !== undefined) return writeWhole(path, content);
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(`${content}\n`, (error) => (error ? reject(error) : resolve()));
    });
  },
};

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** Only the question is echoed on the terminal. */
async function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/** Writes a file atomically; devices and pipes, which cannot be replaced, are written directly. */
async function writeWhole(path: string, content: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile()) return writeFile(path, content);
  const target = found === undefined ? path : await realpath(path);
  await replaceFile(target, content, { isSynced: false });
}
