import type { DeclaredOption } from "@plinth/core/kernel";
import type { ProfileCommand } from "../profile-command.js";
import { formatEntry, formatLines, WIDTH, wrap } from "./layout.js";
import { formatOption } from "./option-groups.js";

/** The short help of a command that runs the node with a profile. */
export function formatProfileHelp(
  { word, summary, names, examples }: ProfileCommand,
  findOption: (name: string) => DeclaredOption | undefined,
): string {
  const options = Object.entries(names).flatMap(([name, target]) => {
    const found = findOption(target);
    if (found === undefined) return [];
    return [
      formatOption({ ...found, name, aliases: [], option: { ...found.option, needs: undefined } }),
    ];
  });
  return [
    `Usage: plinth ${word} [OPTIONS]`,
    wrap(summary, WIDTH).join("\n"),
    ["Options:", ...options, formatEntry("-h, --help", "Shows this help.")].join("\n"),
    formatLines("Examples:", examples),
    "Every other option of the node works as well; plinth --profile=dev --help=all lists them.",
    "",
  ].join("\n\n");
}
