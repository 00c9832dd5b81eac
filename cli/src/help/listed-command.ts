import type { AnyCommand } from "@plinth/core/cli";

/** A command as listed in help. */
export type ListedCommand = Pick<AnyCommand, "id" | "summary">;
