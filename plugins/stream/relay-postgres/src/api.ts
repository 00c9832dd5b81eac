export type { Database, Row, Value } from "./database/database.js";
export { EmbeddedDatabase } from "./database/pglite-database.js";
export { dependencies } from "./dependencies.js";
export { options } from "./options.js";
export { registerRelay } from "./register.js";
export { selectSchema } from "./schema/migrate.js";
