import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NAMED = process.env.PLINTH_CONFORMANCE;

/** The folder of data that other projects wrote: `PLINTH_CONFORMANCE`, or beside the repository. */
export const CONFORMANCE = resolve(ROOT, NAMED ?? "../shared/conformance");

/** Absent at the usual place it is passed over; absent where the variable names it, tests fail. */
export const isConformanceMissing = NAMED === undefined && !existsSync(CONFORMANCE);

/** Recorded traffic of other nodes, beside that folder. */
export const RECORDED_TRAFFIC = resolve(CONFORMANCE, "../besu-wire");

/** Absent at the usual place it is passed over as well. */
export const isTrafficMissing = NAMED === undefined && !existsSync(RECORDED_TRAFFIC);
