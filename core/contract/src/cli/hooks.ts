import type { HookFactory } from "../kernel/hooks.js";
import type { AnyCommand } from "./command.js";

/** Hooks of the command line. */
export function createCliHooks(hook: HookFactory) {
  return {
    command: hook.rewrite<AnyCommand, { readonly plugin: string }>(
      "cli.command",
      {
        since: "0.1.0",
        summary: "Once per command, when registration ends: wrap it or add flags.",
      },
      { isRight: isCommand, text: "a command" },
    ),
    beforeRun: hook.earlyCheck<{
      readonly id: string;
      readonly flags: Readonly<Record<string, unknown>>;
    }>("cli.beforeRun", { since: "0.1.0", summary: "A subcommand is about to run." }),
  };
}

function isCommand(answer: unknown): boolean {
  const { id, run } = Object(answer);
  return typeof id === "string" && typeof run === "function";
}
