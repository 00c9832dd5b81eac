// Bundles the page of the explorer: one script, one style sheet, one document, as they are served.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "./package-folders.mjs";

const page = join(ROOT, "plugins/transport/explorer/page");
const target = join(page, "built");
mkdirSync(target, { recursive: true });
await build({
  entryPoints: [
    { in: join(page, "src/main.ts"), out: "explorer" },
    { in: join(page, "explorer.css"), out: "explorer" },
  ],
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2023",
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) {
  copyFileSync(join(page, file), join(target, file));
}
