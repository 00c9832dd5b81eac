import { t } from "@plinth/core";

/** The id of a filter; any text is accepted. */
export const filterId = t.withText(t.text, "Invalid filter params");
