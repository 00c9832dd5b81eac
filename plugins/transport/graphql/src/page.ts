import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ConfigError } from "@plinth/core";
import type { HttpServer } from "@plinth/kit-http";
import { type GraphQLSchema, introspectionFromSchema } from "graphql/index.js";

const PAGE = new URL("../page/", import.meta.url);
const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** The files of the page by their paths. */
const FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  "/graphql/ui": { file: "index.html", type: HTML },
  "/graphql/ui/page.js": { file: "page.js", type: SCRIPT },
  "/graphql/ui/page.css": { file: "page.css", type: STYLE },
  "/graphql/ui/graphiql.min.js": { file: "libraries/graphiql.min.js", type: SCRIPT },
  "/graphql/ui/graphiql.min.css": { file: "libraries/graphiql.min.css", type: STYLE },
  "/graphql/ui/react.production.min.js": {
    file: "libraries/react.production.min.js",
    type: SCRIPT,
  },
  "/graphql/ui/react-dom.production.min.js": {
    file: "libraries/react-dom.production.min.js",
    type: SCRIPT,
  },
};

/** Browsers load nothing from other origins; GraphiQL needs inline styles and `eval`. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** Adds the query editor, only from files of this package. */
export function addPage(server: HttpServer, schema: GraphQLSchema): void {
  const missing = Object.values(FILES).find(({ file }) => !existsSync(new URL(file, PAGE)));
  if (missing !== undefined) {
    throw new ConfigError("GRAPHQL_PAGE_MISSING", {
      message: `--graphql-ui-enabled: the page lacks ${missing.file}; build the program with \`npm run build\``,
    });
  }
  for (const [address, { file, type }] of Object.entries(FILES)) {
    server.get(address, async (_request, reply) => {
      const content = await readFile(new URL(file, PAGE));
      return reply.type(type).header("content-security-policy", POLICY).send(content);
    });
  }
  const introspected = JSON.stringify({ data: introspectionFromSchema(schema) });
  server.get("/graphql/ui/schema.json", (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(introspected),
  );
}
