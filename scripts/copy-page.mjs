// Copies the files of the GraphQL page into the package that serves it, so that an installation of
// the package needs neither a network nor the libraries themselves.
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../plugins/transport/graphql/", import.meta.url));
const FILES = {
  graphiql: ["graphiql.min.js", "graphiql.min.css"],
  react: ["umd/react.production.min.js"],
  "react-dom": ["umd/react-dom.production.min.js"],
};

const { resolve } = createRequire(join(PACKAGE, "package.json"));
const target = join(PACKAGE, "page/libraries");
mkdirSync(target, { recursive: true });
for (const [name, files] of Object.entries(FILES)) {
  const folder = dirname(resolve(`${name}/package.json`));
  for (const file of files)
    copyFileSync(join(folder, file), join(target, file.replace("umd/", "")));
  copyFileSync(join(folder, "LICENSE"), join(target, `${name}.LICENSE`));
}
