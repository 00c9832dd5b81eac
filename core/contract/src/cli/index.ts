export type { AnyCommand, CommandArguments, CommandUses, StatusLine } from "./command.js";
