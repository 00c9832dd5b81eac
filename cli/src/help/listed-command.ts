import type { AnyCommand } from "@plinth/core/cli";

/** What help lists of a command. */
export type ListedCommand = Pick<AnyCommand, "id" | "summary">;
