import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConfigError } from "@plinth/core";

const FOLDER = new URL("../page/built/", import.meta.url);

/** A file of the page. */
export interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
  /** Changes with the content. */
  readonly tag: string;
}

const FILES = [
  ["/explorer", "index.html", "text/html; charset=utf-8"],
  ["/explorer/explorer.js", "explorer.js", "text/javascript; charset=utf-8"],
  ["/explorer/explorer.css", "explorer.css", "text/css; charset=utf-8"],
  ["/explorer/icon.svg", "icon.svg", "image/svg+xml"],
] as const;

/** Reads the files of the page; throws if it has not been built. */
export function readPageFiles(): readonly PageFile[] {
  return FILES.map(([path, file, type]) => {
    const content = readPart(file);
    const tag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
    return { path, type, content, tag };
  });
}

function readPart(file: string): Buffer {
  try {
    return readFileSync(new URL(file, FOLDER));
  } catch (cause) {
    throw new ConfigError("EXPLORER_PAGE_MISSING", {
      message: `--explorer-enabled: the page lacks ${file}; build the program with \`npm run build\``,
      cause,
    });
  }
}
