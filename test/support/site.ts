import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, extname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the documentation site into a folder: `npm run docs` with another output folder. */
export async function buildSite(folder: string): Promise<void> {
  const vitepress = join(ROOT, "node_modules/vitepress/bin/vitepress.js");
  const env = { ...process.env, PLINTH_SITE: folder };
  await promisify(execFile)(process.execPath, [vitepress, "build", "site"], { cwd: ROOT, env });
}

/** Internal links of the pages in a folder that lead to a missing page or heading: `page: link`. */
export function findBrokenLinks(folder: string): readonly string[] {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".html"))
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]));
  return [...pages].flatMap(([path, text]) =>
    linksOf(text)
      .filter((link) => !isFound(path, link, anchors))
      .map((link) => `${path}: ${link}`),
  );
}

function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
}

function isFound(
  page: string,
  link: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : pathOf(page, path);
  const found = anchors.get(target);
  if (found === undefined) return false;
  return anchor === undefined || anchor === "" || found.has(decodeURIComponent(anchor));
}

function pathOf(page: string, link: string): string {
  const path = link.startsWith("/")
    ? posix.normalize(link.slice(1))
    : posix.join(dirname(page), link);
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Serves the files of a folder on loopback. */
export async function serveFolder(
  folder: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    try {
      const body = readFileSync(join(folder, path));
      response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
