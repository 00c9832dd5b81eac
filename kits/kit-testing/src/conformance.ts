import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NAMED = process.env.PLINTH_CONFORMANCE;

/** The folder of data of other projects: `PLINTH_CONFORMANCE`, or beside the repository. */
export const CONFORMANCE = resolve(ROOT, NAMED ?? "../shared/conformance");

/**
 * If missing at the default path, tests are skipped; if missing at the path of the variable, they
 * fail.
 */
export const isConformanceMissing = NAMED === undefined && !existsSync(CONFORMANCE);

/** The folder of recordings of running Besu networks, and of vectors; part of the repository. */
export const VECTORS = join(ROOT, "test/vectors");

/** Recorded traffic of Besu nodes. */
export const RECORDED_TRAFFIC = join(VECTORS, "besu-wire");
