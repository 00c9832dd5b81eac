import { optional } from "@plinth/core";
import { changeStream } from "@plinth/plugin-changes/api";

/** The services that the relay uses. */
export const dependencies = { changes: optional(changeStream) };
