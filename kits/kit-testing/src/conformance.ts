import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NAMED = process.env.PLINTH_CONFORMANCE;

/** The folder of data that other projects wrote: `PLINTH_CONFORMANCE`, or beside the repository. */
export const CONFORMANCE = resolve(ROOT, NAMED ?? "../shared/conformance");

/** Absent at the usual place it is passed over; absent where the variable names it, tests fail. */
export const isConformanceMissing = NAMED === undefined && !existsSync(CONFORMANCE);

/** The folder of recordings of running Besu networks, and of vectors; a part of the repository. */
export const VECTORS = join(ROOT, "test/vectors");

/** Recorded traffic of Besu nodes. */
export const RECORDED_TRAFFIC = join(VECTORS, "besu-wire");
