import { t } from "@plinth/core";

/** The id of a filter; any text may be one. */
export const filterId = t.withText(t.text, "Invalid filter params");
