import type { Runtime } from "@plinth/core";
import type { Endpoint } from "@plinth/core/rpc";
import type { ClientLimits, HttpServer, ResponseGuard } from "@plinth/kit-http";
import type { QuerySettings } from "@plinth/plugin-rpc-eth/api";
import { isObjectType } from "graphql/index.js";
import mercurius from "mercurius";
import { addResolvers } from "./add-resolvers.js";
import type { GraphqlSchema } from "./api.js";
import { createOwnSchema, extendOwnSchema } from "./create-schema.js";
import { DIFFERENCES } from "./differences.js";
import { type DocumentLimits, Documents } from "./documents/documents.js";
import { limitFields } from "./limit-fields.js";
import { addPage } from "./page.js";
import { addRoutes } from "./routes.js";

/** Dependencies of the GraphQL service. */
export interface ServeSettings {
  readonly endpoint: Endpoint;
  readonly runtime: Runtime;
  readonly guard: ResponseGuard;
  readonly limits: ClientLimits;
  readonly settings: QuerySettings;
  readonly contributed: readonly GraphqlSchema[];
  readonly documentLimits: Omit<DocumentLimits, "favorsIntrospection">;
  /** Whether to serve the query editor. */
  readonly hasPage: boolean;
}

/** More documents than are ever cached at a time: eviction is decided elsewhere. */
const MAX_DOCUMENTS = 100_000;

/** Serves GraphQL on a server that already has its guards. */
export async function serveGraphql(server: HttpServer, settings: ServeSettings): Promise<void> {
  const { runtime, contributed, documentLimits, hasPage } = settings;
  const { writesIntegers, favorsIntrospection } = DIFFERENCES[runtime.compatibility.mode];
  const own = createOwnSchema(writesIntegers);
  const schema = extendOwnSchema(own, contributed);
  await server.register(mercurius, {
    schema,
    routes: false,
    // Documents are not compiled to code: ADR 20.
    jit: 0,
    cache: MAX_DOCUMENTS,
    // Errors are described where responses are built.
    errorFormatter: (execution) => ({ statusCode: 200, response: execution }),
  });
  const isOwn = (type: string, field: string) => {
    const found = own.getType(type);
    return isObjectType(found) && Object.hasOwn(found.getFields(), field);
  };
  addResolvers(server.graphql, { writesIntegers, contributed, isOwn });
  limitFields(schema);
  const documents = new Documents(schema, { ...documentLimits, favorsIntrospection }, () =>
    server.graphql.replaceSchema(schema),
  );
  if (hasPage) addPage(server, schema);
  addRoutes(server, { ...settings, documents, blocks: runtime.chain.blocks });
}
