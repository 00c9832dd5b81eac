import { option } from "@plinth/core";

/**
 * Options of the program itself: the sources of its other options, and the files it writes for
 * others.
 */
export const programOptions = {
  configFile: option.path({ summary: "File with options: TOML, JSON, YAML or JavaScript." }),
  profile: option.text({ summary: "Named set of defaults, such as dev." }),
  pidPath: option.path({
    summary: "File for the process id, written once the node is up and removed when it stops.",
  }),
};
