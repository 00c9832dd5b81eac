import { method, t } from "@plinth/core";

/** The version of these methods that Otterscan checks. */
const API_LEVEL = 8;

/** `ots_getApiLevel`: the version of the namespace. */
export const getApiLevel = method({
  summary: "Returns the version of the namespace that Otterscan checks.",
  params: {},
  result: t.integer({ min: 0 }),
  example: { params: [], result: API_LEVEL },
  handle: () => API_LEVEL,
});
